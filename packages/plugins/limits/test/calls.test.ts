import { describe, expect, it } from "@jest/globals";
import type { StateStore } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { memoryStateStore } from "@suite/kit/store";
import { modelCallLimit, toolCallLimit } from "@suite/limits";
import { Rig } from "./support.js";

const down = (): StateStore => ({ ...memoryStateStore(), add: () => Promise.reject(new Error("down")) });
const told = (rig: Rig) => rig.told.filter(({ type }) => type === "limit" || type === "decision");

describe("a limit of model calls", () => {
  it("counts a conversation over its runs, and each conversation by itself", async () => {
    const limit = modelCallLimit({ threadLimit: 2 });
    const said: string[] = [];
    for (const sessionId of ["a", "a", "b", "a"]) said.push(await new Rig([limit], { sessionId }).says());
    const reached = "The limit of model calls is reached: 2 per thread.";
    expect(said).toEqual(["said", "said", "said", reached]);
  });

  it("counts in a store that is common to two instances", async () => {
    const store = memoryStateStore();
    const runs = [1, 2].map(() => new Rig([modelCallLimit({ threadLimit: 3, store })], { sessionId: "a" }));
    const said = await Promise.all([...runs, ...runs].map((rig) => rig.says()));
    expect(said.filter((each) => each === "said")).toHaveLength(3);
  });

  it("does not count refused calls: a run over its own limit leaves the conversation's limit", async () => {
    const store = memoryStateStore();
    const limit = () => modelCallLimit({ runLimit: 1, threadLimit: 2, store });
    const first = new Rig([limit()], { sessionId: "a" });
    for (let each = 0; each < 3; each++) await first.says();
    expect(await new Rig([limit()], { sessionId: "a" }).says()).toBe("said");
  });

  it("does not count in the run what the conversation's limit refuses", async () => {
    let time = 0;
    const store = memoryStateStore({ now: () => time });
    const limit = modelCallLimit({ runLimit: 2, threadLimit: 2, threadTtl: 1000, store });
    const [first, rig] = [new Rig([limit], { sessionId: "a" }), new Rig([limit], { sessionId: "a" })];
    for (let each = 0; each < 2; each++) await first.says();
    const said = [await rig.says(), await rig.says()];
    time = 1001;
    said.push(await rig.says(), await rig.says());
    const refused = "The limit of model calls is reached: 2 per thread.";
    expect(said).toEqual([refused, refused, "said", "said"]);
  });

  it("fails closed with the store's error and counts nothing, or fails open and reports it", async () => {
    const closed = new Rig([modelCallLimit({ runLimit: 1, threadLimit: 2, store: down() })]);
    await expect(closed.says()).rejects.toThrow("down");
    expect(told(closed)).toEqual([expect.objectContaining({ type: "decision", decision: "fail_closed" })]);
    const open = new Rig([modelCallLimit({ threadLimit: 2, store: down(), onStoreError: "open" })]);
    expect(await open.says()).toBe("said");
    expect(told(open)).toEqual([expect.objectContaining({ type: "decision", decision: "fail_open" })]);
  });

  it("does not count in the run a call that failed with its store", async () => {
    const inner = memoryStateStore();
    let fails = true;
    const store: StateStore = {
      ...inner,
      add: async (...given) => {
        if (fails) throw new Error("down");
        return inner.add(...given);
      },
    };
    const rig = new Rig([modelCallLimit({ runLimit: 1, threadLimit: 2, store })]);
    await expect(rig.says()).rejects.toThrow("down");
    fails = false;
    expect(await rig.says()).toBe("said");
  });

  it("tells each call beyond it in monitor mode, and lets it pass", async () => {
    const rig = new Rig([modelCallLimit({ runLimit: 1, mode: "monitor" })]);
    for (let each = 0; each < 3; each++) expect(await rig.says()).toBe("said");
    expect(told(rig)).toHaveLength(2);
    expect(told(rig)[0]).toMatchObject({ limit: "model_calls.run", maximum: 1, enforced: false });
  });

  it("can be in a list twice: each counts separately", async () => {
    const rig = new Rig([
      modelCallLimit({ runLimit: 5 }),
      modelCallLimit({ runLimit: 2 }),
      modelCallLimit({ runLimit: 5 }),
    ]);
    const said: string[] = [];
    for (let each = 0; each < 3; each++) said.push(await rig.says());
    expect(said).toEqual(["said", "said", "The limit of model calls is reached: 2 per run."]);
  });
});

describe("a limit of tool calls", () => {
  it("runs the calls of a batch that are within it, and answers for the others", async () => {
    const rig = new Rig([toolCallLimit({ runLimit: 2, exitBehavior: "end" })]);
    const answers = await Promise.all(["a", "b", "c", "d"].map((name) => rig.tool(name)));
    expect(answers.map(({ failed }) => failed)).toEqual([false, false, true, true]);
    expect(answers[1]?.value).toBe("b ran");
    expect(await rig.says()).toBe("The limit of tool calls is reached: 2 per run.");
    expect(rig.asked).toEqual([]);
  });

  it("lets the model go on where it is to continue", async () => {
    const rig = new Rig([toolCallLimit({ runLimit: 1 })]);
    await rig.tool("a");
    expect(await rig.tool("a")).toMatchObject({ failed: true, value: expect.stringContaining("any more tools") });
    expect(await rig.says()).toBe("said");
  });

  it("fails in place of the next model call, or at once where no batch is known", async () => {
    const plugins = () => [toolCallLimit({ runLimit: 1, exitBehavior: "error" })];
    const rig = new Rig(plugins());
    await rig.tool("a");
    expect(await rig.tool("a")).toMatchObject({ failed: true });
    await expect(rig.says()).rejects.toMatchObject({ code: "ERR_LIMITS_TOOL_CALLS" });
    const alone = new Rig(plugins());
    await alone.tool("a", { batch: undefined });
    await expect(alone.tool("a", { batch: undefined })).rejects.toMatchObject({ code: "ERR_LIMITS_TOOL_CALLS" });
  });

  it("applies to one tool, if it names one", async () => {
    const rig = new Rig([toolCallLimit({ toolName: "search", runLimit: 1 })]);
    const answers = [];
    for (const name of ["search", "read", "search", "read"]) answers.push((await rig.tool(name)).failed);
    expect(answers).toEqual([false, false, true, false]);
  });

  it("does not count a call that waits for a person, of the run or of the conversation", async () => {
    const store = memoryStateStore();
    const stack = new PluginStack([toolCallLimit({ runLimit: 1, threadLimit: 1, store })]);
    const call = { id: "1", tool: { name: "pay" }, input: {} };
    const part = { type: "tool_call", id: "1", name: "pay", arguments: {} } as const;
    const waits = stack.begin({ sessionId: "a" });
    const outcome = await stack.call("tool", waits, call, async (invocation) => {
      invocation.respond({ suspended: [{ reason: "approval", part }] });
    });
    await expect(outcome.final()).rejects.toThrow();
    const durable = waits.save();
    await waits.end();
    const goesOn = stack.begin({ sessionId: "a", durable });
    const paid = await stack.call("tool", goesOn, call, async (invocation) => invocation.respond({ value: "paid" }));
    expect(await paid.final()).toBe("paid");
  });

  it("gives no credit for a call that waits if the count of its conversation is gone by then", async () => {
    const store = memoryStateStore();
    const stack = new PluginStack([toolCallLimit({ threadLimit: 1, store, name: "limit" })]);
    const run = stack.begin({ sessionId: "a" });
    const call = { id: "1", tool: { name: "pay" }, input: {} };
    const part = { type: "tool_call", id: "1", name: "pay", arguments: {} } as const;
    const outcome = await stack.call("tool", run, call, async (invocation) => {
      await store.delete("limit:a");
      invocation.respond({ suspended: [{ reason: "approval", part }] });
    });
    await expect(outcome.final()).rejects.toThrow();
    expect(await store.add("limit:a", 0)).toMatchObject({ total: 0 });
  });
});

describe("options of a limit", () => {
  it.each([
    [{}, /needs a runLimit or a threadLimit/],
    [{ runLimit: 0 }, /runLimit of modelCallLimit\(\) must be an integer of at least 1/],
    [{ runLimit: -1 }, /at least 1/],
    [{ runLimit: Number.NaN }, /at least 1/],
    [{ runLimit: 1.5 }, /at least 1/],
    [{ runLimit: 5, threadLimit: 2 }, /never apply/],
    [{ runLimt: 5 }, /has the options .*runLimit/],
    [{ runLimit: 5, exitBehavior: "stop" }, /"end" or "error"/],
    [{ runLimit: 5, store: {} }, /StateStore/],
  ])("that mean nothing are refused when it is made: %p", (options, why) => {
    expect(() => modelCallLimit(options as never)).toThrow(why);
    expect(() => modelCallLimit(options as never)).toThrow(expect.objectContaining({ code: "ERR_LIMITS_OPTION" }));
  });

  // In another system 0 and negative limits are taken, and only one of the two kinds refuses a run's above the thread's.
  it.each([{}, { runLimit: 0 }, { threadLimit: -1 }, { runLimit: 5, threadLimit: 2 }, { runLimit: 1, toolName: "" }])(
    "are checked for tool calls as for model calls: %p",
    (options) => {
      expect(() => toolCallLimit(options)).toThrow(expect.objectContaining({ code: "ERR_LIMITS_OPTION" }));
    },
  );
});
