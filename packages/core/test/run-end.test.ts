import { describe, expect, it } from "@jest/globals";
import { MiddlewareTermination, type Plugin, type RunSettlement } from "@suite/core";
import { PluginStack, type Run } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";

const reply = { message: { role: "assistant" as const, parts: [] } };
const request = { messages: [] };

/** A stack whose runs tell how they ended, first by a plugin that takes its time. */
function telling(plugins: readonly Plugin[] = []) {
  const told: RunSettlement[] = [];
  const slow: Plugin = { name: "slow", end: async () => {} };
  const end = (_: unknown, settlement: RunSettlement): void => void told.push(settlement);
  return { told, stack: new PluginStack([slow, { name: "told", end }, ...plugins]) };
}

describe("the end of a run", () => {
  const boom = new Error("boom");
  const pending = [{ reason: "input", part: { type: "tool_call", id: "1", name: "t", arguments: {} } }] as const;

  it.each<[string, (run: Run, stack: PluginStack) => Promise<unknown>, RunSettlement]>([
    ["without any call", async () => {}, { status: "completed" }],
    [
      "with an answer",
      async (run, stack) => (await stack.call("agent", run, request, async (c) => c.respond({ value: reply }))).final(),
      { status: "completed" },
    ],
    [
      "with an error of its call",
      (run, stack) => stack.call("agent", run, request, () => Promise.reject(boom)).catch(() => {}),
      { status: "failed", error: boom },
    ],
    [
      "with a stream that breaks",
      async (run, stack) => {
        const broken = async function* () {
          yield { type: "part" as const, at: "0", part: { type: "text" as const, content: "half" } };
          throw boom;
        };
        const outcome = await stack.call("agent", run, request, async (c) => c.respond({ stream: broken() }));
        await outcome.final().catch(() => {});
      },
      { status: "failed", error: boom },
    ],
    [
      "while it waits",
      async (run, stack) => {
        const outcome = await stack.call("agent", run, request, async (c) => c.respond({ suspended: pending }));
        await outcome.final().catch(() => {});
      },
      { status: "suspended", pending },
    ],
    [
      "with an error inside a call that ended well",
      async (run, stack) => {
        const outcome = await stack.call("agent", run, request, async (c) => {
          const inner = stack.call(
            "model",
            run,
            { ...request, tools: [], model: "m" },
            () => Promise.reject(boom),
            c.call,
          );
          await inner.catch(() => {});
          c.respond({ value: reply });
        });
        await outcome.final();
      },
      { status: "completed" },
    ],
    ["as its adapter says", async (run) => run.failed(boom), { status: "failed", error: boom }],
  ])("is told %s", async (_, act, settlement) => {
    const { told, stack } = telling();
    const run = stack.begin();
    await act(run, stack);
    await run.end();
    expect(told).toEqual([settlement]);
  });

  it("is cancelled if the answer was not read or the run was aborted, whatever the framework then throws", async () => {
    const { told, stack } = telling();
    const unread = stack.begin();
    await stack.call("agent", unread, request, async (c) => c.respond({ value: reply }));
    await unread.end();
    expect(told).toMatchObject([{ status: "cancelled", reason: { code: "ERR_CANCELLED" } }]);
    const aborting = new AbortController();
    const run = stack.begin({ signal: aborting.signal });
    const left = new Error("left");
    const asked = stack.call("agent", run, request, async () => {
      aborting.abort(left);
      throw new Error("AbortError of the framework's own");
    });
    await asked.catch(() => {});
    await run.end();
    expect(told[1]).toEqual({ status: "cancelled", reason: left });
  });

  it("is a layer's, where it stopped the run", async () => {
    const why = new MiddlewareTermination("The budget is spent.");
    const stops: Plugin = { name: "stops", agent: () => Promise.reject(why) };
    const { told, stack } = telling([stops]);
    const run = stack.begin();
    await stack.call("agent", run, request, async () => {}).catch(() => {});
    await run.end();
    expect(told).toEqual([{ status: "terminated", by: why }]);
  });

  it("is that of the framework's own call, if no layer runs around it", async () => {
    const { told, stack } = telling();
    const runs = new FrameworkRuns(stack);
    await runs.direct("model", () => Promise.resolve(1));
    await runs.direct("model", () => Promise.reject(boom)).catch(() => {});
    expect(told).toEqual([{ status: "completed" }, { status: "failed", error: boom }]);
  });
});
