import { describe, expect, it } from "@jest/globals";
import {
  type CallId,
  type Notification,
  type Plugin,
  type Redactor,
  type RunSettlement,
  type RuntimeContext,
  redactorOf,
  signalOf,
} from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import type { MemoryRequest } from "@suite/core/contract";
import { answers, request } from "./support.js";

const kept: MemoryRequest = { operation: "create_memory", store: "notes", records: [{ content: "tea" }] };
const shouting: Redactor = { redact: (text) => text.toUpperCase(), value: (value) => value };

/** A plugin that keeps something behind the caller's back, and writes down what became of it. */
function keeping(work: (own: RuntimeContext, call: CallId | undefined) => unknown) {
  const seen: { call?: CallId; runs: string[]; ends: RunSettlement[]; told: Notification[]; done?: Promise<void> } = {
    runs: [],
    ends: [],
    told: [],
  };
  let begun = false;
  const plugin: Plugin = {
    name: "keeping",
    async model(invocation, callNext) {
      seen.call = invocation.call;
      await callNext();
    },
    async memory(invocation, callNext) {
      seen.runs.push(invocation.runtime.runId);
      await callNext();
    },
    observe: (notification) => void seen.told.push(notification),
    end(runtime, settlement) {
      seen.ends.push(settlement);
      if (begun) return;
      begun = true;
      seen.done = runtime.background((own) => work(own, seen.call));
    },
  };
  return { plugin, seen };
}

/** A promise, and the function that resolves it. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("work in the background", () => {
  it("is a run of its own, which outlives the one that the caller waits for, and goes through the same layers", async () => {
    const { open, opened } = gate();
    const { plugin, seen } = keeping(async (own, parent) => {
      await opened;
      await own.memory(kept, () => ({ count: 1 }), { parent: parent as CallId });
    });
    const stack = new PluginStack([plugin]);
    const controller = new AbortController();
    const run = stack.begin({ userId: "ada", sessionId: "s", signal: controller.signal });
    await (await stack.call("model", run, request, answers("hi"))).final();
    await run.end(); // the caller has waited for nothing
    expect(seen.runs).toEqual([]);
    controller.abort(new Error("the caller is gone"));
    open();
    await seen.done;
    expect(seen.runs).toHaveLength(1);
    expect(seen.runs).not.toContain(run.runId);
    expect(seen.ends).toEqual([{ status: "completed" }, { status: "completed" }]);
  });

  it("is not stopped by the end of the call that it hangs below, where that run had something open still", async () => {
    const error = new Error("given up");
    const { plugin, seen } = keeping((own, parent) =>
      own.memory(
        kept,
        (_, call) => {
          signalOf(call)?.throwIfAborted();
          return own.memory(kept, (_, inner) => ({ count: signalOf(inner)?.aborted ? 0 : 1 }), { parent: call });
        },
        { parent: parent as CallId },
      ),
    );
    let above: AbortSignal | undefined;
    const told: Plugin = {
      name: "told",
      async model(invocation, callNext) {
        above = invocation.signal;
        await callNext();
      },
    };
    const stack = new PluginStack([plugin, told]);
    const run = stack.begin();
    await stack.call("model", run, request, answers("hi")); // which nobody reads
    await run.end(error);
    await seen.done;
    expect(above?.aborted).toBe(true);
    expect(seen.ends.at(-1)).toEqual({ status: "completed" });
    expect(seen.told).not.toContainEqual(expect.objectContaining({ type: "fault" }));
  });

  it("has the run's agent, user, conversation and redactors, those of a run round it among them", async () => {
    let heard: unknown;
    const { plugin, seen } = keeping((own) => {
      heard = [own.agent?.name, own.userId, own.sessionId, redactorOf(own)?.redact("tea")];
    });
    const outer = new PluginStack([{ name: "guard", redactor: shouting }]).begin();
    const run = new PluginStack([plugin]).begin({ agent: { name: "a" }, userId: "ada", sessionId: "s", parent: outer });
    await run.end();
    await outer.end();
    await seen.done;
    expect(heard).toEqual(["a", "ada", "s", "TEA"]);
  });

  it("reports its error as a fault, and as the end of its run, and its promise never rejects because of it", async () => {
    const error = new Error("the memory is closed");
    const { plugin, seen } = keeping(() => Promise.reject(error));
    await new PluginStack([plugin]).begin().end();
    await expect(seen.done).resolves.toBeUndefined();
    expect(seen.ends).toEqual([{ status: "completed" }, { status: "failed", error }]);
    expect(seen.told).toContainEqual({ type: "fault", where: "background", error });
  });

  it("is over before the plugins of its stack are closed, also where a run had more plugins than the stack", async () => {
    const { open, opened } = gate();
    const log: string[] = [];
    const { plugin } = keeping(async () => {
      await opened;
      log.push("done");
    });
    const closes: Plugin = { name: "closes", close: async () => void log.push("closed") };
    const stack = new PluginStack([closes, plugin]);
    await stack
      .append([{ name: "more", observe: () => {} }])
      .begin()
      .end();
    const closing = stack.close();
    setTimeout(open, 5);
    await closing;
    expect(log).toEqual(["done", "closed"]);
  });

  it("cannot be begun when the run is gone", async () => {
    const run = new PluginStack([]).begin();
    await run.end();
    expect(() => run.background(() => {})).toThrow(expect.objectContaining({ code: "ERR_RUN_ENDED" }));
  });
});
