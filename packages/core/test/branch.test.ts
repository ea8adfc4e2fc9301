import { describe, expect, it } from "@jest/globals";
import type { Delta, Invocation, Notification, Plugin, Settlement } from "@suite/core";
import { type CallCore, PluginStack } from "@suite/core/adapter";
import type { AttemptNotification, Branch } from "@suite/core/contract";
import { collect, layer, piece, request, sleep } from "./support.js";

/** A core whose attempts answer after so long each, with their number; a text is an error. */
function racing(...times: readonly (number | string)[]) {
  const signals: AbortSignal[] = [];
  const calls: string[] = [];
  const core: CallCore<"model"> = async (invocation) => {
    const attempt = signals.push(invocation.signal);
    calls.push(invocation.call.id);
    const time = times[attempt - 1] ?? 0;
    if (typeof time === "string") throw new Error(time);
    invocation.respond({
      stream: (async function* (): AsyncGenerator<Delta, void> {
        await sleep(time);
        yield piece(`${attempt}`);
        yield piece("!");
      })(),
    });
  };
  return { core, signals, calls };
}

type Layer = (invocation: Invocation<"model">, begin: () => Branch<"model">) => Promise<void>;

/** A plugin that begins branches. */
const branching = (body: Layer): Plugin =>
  layer(
    (invocation, callNext) => body(invocation, () => invocation.branch?.(callNext) as Branch<"model">),
    "branching",
  );

/** Takes the branch that begins to answer first, of two. */
const faster = branching(async (_, begin) => {
  const both = [begin(), begin()];
  const first = await Promise.race(
    both.map((each) => each.answered.then((outcome) => outcome.ready().then(() => each))),
  );
  first.take();
  for (const each of both) if (each !== first) each.giveUp(new Error("slower"));
});

async function run(plugins: readonly Plugin[], core: CallCore<"model">, told: Notification[] = []) {
  const stack = new PluginStack([{ name: "observer", observe: (each) => void told.push(each) }, ...plugins]);
  const within = stack.begin();
  within.takesBranches = true;
  const outcome = await stack.call("model", within, request, core);
  return { outcome, within };
}

describe("two branches of one call", () => {
  it("run at the same time, and the answer is that of the selected one, without pieces of the other", async () => {
    const { core, signals } = racing(200, 1);
    const { outcome, within } = await run([faster], core);
    expect(await collect(outcome)).toBe("2!");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(signals[0]?.reason).toMatchObject({ message: "slower" });
    await within.end();
  });

  it("are calls of their own within it to layers inside, each of which settles once", async () => {
    const seen: [string, string][] = [];
    const inner = layer(async (invocation, callNext) => {
      await callNext();
      const settle = ({ status }: Settlement<unknown>) => void seen.push([invocation.call.id, status]);
      invocation.pipe({ settle });
      expect(invocation.call.parent?.kind).toBe("model");
    }, "inner");
    const { core, calls } = racing(100, 1);
    const { outcome, within } = await run([faster, inner], core);
    await collect(outcome);
    await within.end();
    expect(new Set(calls).size).toBe(2);
    expect(new Map(seen)).toEqual(
      new Map([
        [calls[0], "cancelled"],
        [calls[1], "completed"],
      ] as [string, string][]),
    );
    expect(seen).toHaveLength(2);
  });

  it("are one call to outer layers, which receive the abandoned attempt", async () => {
    const told: Notification[] = [];
    const statuses: string[] = [];
    const outer = layer(async (invocation, callNext) => {
      await callNext();
      expect(invocation.reached?.model).toBe("m");
      invocation.pipe({ settle: ({ status }) => void statuses.push(status) });
    }, "outer");
    const { outcome, within } = await run([outer, faster], racing(100, 1).core, told);
    await collect(outcome);
    await within.end();
    expect(statuses).toEqual(["completed"]);
    const attempts = told.filter((each): each is AttemptNotification => each.type === "attempt");
    expect(attempts).toMatchObject([{ attempt: 1, settlement: { status: "cancelled" }, call: { parent: undefined } }]);
  });

  it("leave what the last one ended with where both fail, and a layer outside may try again", async () => {
    const told: Notification[] = [];
    const both = branching(async (_, begin) => {
      const [one, two] = [begin(), begin()] as const;
      const results = await Promise.allSettled([one.answered, two.answered]);
      one.giveUp(new Error("unused"));
      two.take();
      const [, second] = results;
      if (second.status === "rejected") throw second.reason;
    });
    const retry = layer((_, callNext) => callNext().catch(() => callNext()), "retry");
    const { outcome, within } = await run([retry, both], racing("a", "b", "c", 1).core, told);
    expect(await collect(outcome)).toBe("4!");
    await within.end();
    const attempts = told.filter((each): each is AttemptNotification => each.type === "attempt");
    expect(attempts.map(({ attempt, settlement }) => [attempt, settlement.status])).toEqual([
      [1, "failed"],
      [2, "failed"],
      [3, "failed"],
    ]);
  });

  it("are not there where the adapter can ask only once at a time, nor for tools", async () => {
    const stack = new PluginStack([
      {
        name: "looks",
        async model(invocation, callNext) {
          expect(invocation.branch).toBeUndefined();
          await callNext();
        },
      },
    ]);
    const within = stack.begin();
    expect(await collect(await stack.call("model", within, request, racing(0).core))).toBe("1!");
    const tool = new PluginStack([
      {
        name: "looks",
        async tool(invocation, callNext) {
          expect(invocation.branch).toBeUndefined();
          await callNext();
        },
      },
    ]);
    const other = tool.begin();
    other.takesBranches = true;
    await tool.call("tool", other, { id: "1", tool: { name: "t" }, input: 1 }, async (i) => i.respond({ value: 1 }));
  });

  it("end with the run, where the layer is aborted before either has answered", async () => {
    const { core, signals } = racing(60_000, 60_000);
    const abort = new AbortController();
    const stack = new PluginStack([faster]);
    const within = stack.begin({ signal: abort.signal });
    within.takesBranches = true;
    const asking = stack.call("model", within, request, async (invocation) => {
      await Promise.race([core(invocation), new Promise(() => {})]);
    });
    asking.catch(() => {});
    await sleep(5);
    abort.abort(new Error("gone"));
    await within.end();
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});
