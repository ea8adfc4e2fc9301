import { describe, expect, it } from "@jest/globals";
import { definePlugin, type RuntimeContext, toolCall } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { ambientStorage, FrameworkRuns } from "@suite/core/framework";

const tool = { id: "call_1", tool: { name: "look_up" }, input: {} };

function watched() {
  const ended: RuntimeContext[] = [];
  const seen: { readonly runtime: RuntimeContext; readonly parent: string | undefined }[] = [];
  const plugin = definePlugin({
    name: "watch",
    async tool({ runtime, call }, callNext) {
      seen.push({ runtime, parent: call.parent?.kind });
      await callNext();
    },
    async agent(_invocation, callNext) {
      await callNext();
    },
    end: (runtime) => void ended.push(runtime),
  });
  return { runs: new FrameworkRuns(new PluginStack([plugin])), seen, ended };
}

describe("a call of a framework", () => {
  it("has a run of its own where there is none around it, which ends with the answer", async () => {
    const { runs, seen, ended } = watched();
    const outcome = await runs.call("tool", tool, async (invocation) => invocation.respond({ value: 1 }));
    expect(ended).toEqual([]);
    expect(await outcome.final()).toBe(1);
    await outcome.settled;
    await new Promise(setImmediate);
    expect(ended).toEqual([seen[0]?.runtime]);
  });

  it("has a run of its own that ends when it is suspended, and when it fails", async () => {
    const { runs, ended } = watched();
    const error = new Error("broken");
    await expect(runs.call("tool", tool, () => Promise.reject(error))).rejects.toBe(error);
    expect(ended).toHaveLength(1);
    const suspended: Suspended = { suspended: [{ reason: "external", part: toolCall("call_1", "look_up", {}) }] };
    const outcome = await runs.call("tool", tool, async (invocation) => invocation.respond(suspended));
    await expect(outcome.final()).rejects.toMatchObject({ code: "ERR_SUSPENDED" });
    await new Promise(setImmediate);
    expect(ended).toHaveLength(2);
  });

  it("joins the run and the call around it", async () => {
    const { runs, seen } = watched();
    const run = runs.begin();
    const outcome = await runs.stack.call("agent", run, { messages: [] }, async (invocation) => {
      await (await runs.call("tool", tool, async (inner) => inner.respond({ value: 1 }))).final();
      invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
    });
    await outcome.final();
    await run.end();
    expect(seen).toEqual([{ runtime: run, parent: "agent" }]);
  });

  it("of another target is within the very call that the code is in", async () => {
    const { runs: outer } = watched();
    const { runs, seen } = watched();
    const run = outer.begin();
    const outcome = await outer.stack.call("agent", run, { messages: [] }, async (invocation) => {
      await (await runs.call("tool", tool, async (inner) => inner.respond({ value: 1 }))).final();
      invocation.respond({ value: { message: { role: "assistant", parts: [] } } });
    });
    await outcome.final();
    await run.end();
    expect(seen[0]?.parent).toBe("agent");
  });

  it("of another target is a run within the run around it", async () => {
    const [outer, inner] = [watched(), watched()];
    const outcome = await outer.runs.call("tool", tool, async (invocation) => {
      const within = await inner.runs.call("tool", tool, async (each) => each.respond({ value: 2 }));
      invocation.respond({ value: await within.final() });
    });
    expect(await outcome.final()).toBe(2);
    expect(inner.seen[0]?.runtime.parent).toBe(outer.seen[0]?.runtime);
  });

  it("that outlives the run around it has one of its own", async () => {
    const { runs, seen } = watched();
    let later: Promise<unknown> | undefined;
    let over: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => {
      over = resolve;
    });
    const outcome = await runs.call("tool", tool, async (invocation) => {
      later = ended.then(async () =>
        (await runs.call("tool", tool, async (each) => each.respond({ value: 1 }))).final(),
      );
      invocation.respond({ value: 0 });
    });
    await outcome.final();
    await new Promise(setImmediate);
    over?.();
    expect(await later).toBe(1);
    expect(seen[1]?.runtime.parent).toBeUndefined();
    expect(seen[1]?.runtime).not.toBe(seen[0]?.runtime);
  });

  it("that arrives from outside has no run, if its adapter says so", async () => {
    const { runs } = watched();
    const outcome = await runs.call("tool", tool, async (invocation) => {
      const [within, without] = [runs.begin(), runs.begin({ parent: undefined })];
      await Promise.all([within.end(), without.end()]);
      invocation.respond({ value: [within.parent === invocation.runtime, without.parent] });
    });
    expect(await outcome.final()).toEqual([true, undefined]);
  });

  it("keeps to its own run, however many there are at a time", async () => {
    const [outer, inner] = [watched(), watched()];
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const asked = Array.from({ length: 20 }, async (_, n) => {
      const outcome = await outer.runs.call("tool", { ...tool, id: `${n}` }, async (invocation) => {
        for (let turn = 0; turn < n % 4; turn++) await pause();
        const within = await inner.runs.call("tool", tool, async (each) =>
          each.respond({ value: each.runtime.parent === invocation.runtime }),
        );
        invocation.respond({ value: await within.final() });
      });
      return outcome.final();
    });
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
  });

  it("is found through one storage, which is empty outside of runs", async () => {
    expect(ambientStorage()).toBe(ambientStorage());
    expect(ambientStorage()?.getStore()).toBeUndefined();
  });
});
