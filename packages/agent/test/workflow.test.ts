import { describe, expect, it } from "@jest/globals";
import { type AgentResult, approve, createAgent, defineTool, workflow } from "@suite/agent";
import {
  type AgentRequest,
  definePlugin,
  MiddlewareTermination,
  message,
  type Plugin,
  type Redactor,
  type Reply,
  textOf,
  usageOf,
} from "@suite/core";
import { found, text, watched } from "../../../integration-tests/watched.js";
import { call, codeOf, scripted } from "./support.js";

const agent = (name: string, said: string) => createAgent({ name, model: scripted(said) });

/** A plugin that writes down what the layers round a workflow see. */
function seeing() {
  const requests: AgentRequest[] = [];
  const replies: Reply[] = [];
  const ends: string[] = [];
  const plugin = definePlugin({
    name: "seeing",
    async agent(invocation, callNext) {
      requests.push(invocation.request);
      await callNext();
      invocation.pipe({
        settle: (settlement) => void (settlement.status === "completed" && replies.push(settlement.final)),
      });
    },
    end: (_, { status }) => void ends.push(status),
  });
  return { requests, replies, ends, plugin };
}

/** The plugins for a workflow around agents that have them all: of the guard it takes the redactor. */
const around = (plugins: readonly Plugin[]): readonly Plugin[] =>
  plugins.map((plugin) =>
    plugin.name === "pii" ? { name: "redactor", redactor: plugin.redactor as Redactor } : plugin,
  );

/** Changes what it is asked and what it answers. */
const shouting = definePlugin({
  name: "shouting",
  async agent(invocation, callNext) {
    const messages = invocation.request.messages.map((each) => message("user", textOf(each).toUpperCase()));
    invocation.request = { messages };
    await callNext();
    invocation.pipe({
      chunk(delta, emit) {
        if (delta.type !== "part" || delta.part.type !== "text") return emit(delta);
        emit({ ...delta, part: { type: "text", content: delta.part.content.toUpperCase() } });
      },
    });
  },
});

describe("a workflow", () => {
  it("accepts, returns and throws the same values as its function, with and without plugins", async () => {
    const { plugin } = seeing();
    const values: readonly unknown[] = [
      "text",
      1,
      undefined,
      { a: [1] },
      new Map([["a", 1n]]),
      message("user", "m"),
      null,
    ];
    for (const plugins of [[], [plugin]]) {
      const same = workflow("same", (input: unknown) => input, { plugins });
      for (const value of values) expect(await same(value)).toBe(value);
      const error = new TypeError("no");
      const broken = workflow("broken", () => Promise.reject(error), { plugins });
      await expect(broken("x")).rejects.toBe(error);
    }
  });

  it("refuses a plugin that would do nothing around a function", async () => {
    const model = definePlugin({ name: "guard", model: (_, callNext) => callNext() });
    expect(() => workflow("w", () => "x", { plugins: [model] })).toThrow(
      "A workflow does not support model, which plugin guard requires. It supports agent, observe.",
    );
    const run = workflow("w", () => "x")("x", { plugins: [model] });
    await expect(run).rejects.toMatchObject({ code: "ERR_HOOK_NOT_SERVED" });
    const handedOn = definePlugin({ ...model, inSubAgents: true });
    const offered = definePlugin({ ...model, whereOffered: ["model"] });
    expect(await workflow("w", () => "x", { plugins: [handedOn, offered] })("x")).toBe("x");
  });

  it("is one run round those of its agents, whose tokens add up", async () => {
    const { plugin, ends, requests, replies } = seeing();
    let used: unknown;
    const parents: unknown[] = [];
    const inner = definePlugin({
      name: "inner",
      agent: (invocation, callNext) => {
        parents.push(invocation.runtime.parent?.agent, invocation.call.parent?.kind);
        return callNext();
      },
    });
    const writer = createAgent({ name: "writer", model: scripted("A draft."), plugins: [inner] });
    const report = workflow(
      "report",
      async (topic: string, within) => {
        const draft = await writer.run(topic, within);
        const done = await agent("editor", "Done.").run(draft.messages, within);
        used = usageOf(within.parent);
        return done;
      },
      { plugins: [plugin] },
    );
    const result = await report("Tea", { sessionId: "s-1" });
    expect(result).toMatchObject({ status: "completed", text: "Done." });
    expect(used).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(parents).toEqual([{ name: "report", operation: "workflow" }, "agent"]);
    expect(requests).toEqual([{ messages: [message("user", "Tea")] }]);
    expect(replies.map(({ message: said }) => textOf(said))).toEqual(["Done."]);
    expect(ends).toEqual(["completed"]);
  });

  it("is asked, and answers, as layers changed it: text, messages, results of agents, and all else as JSON", async () => {
    const plugins = [shouting];
    const given: unknown[] = [];
    const same = workflow(
      "same",
      (input: unknown) => {
        given.push(input);
        return input;
      },
      { plugins },
    );
    expect(await same("a")).toBe("A");
    expect(await same({ a: "b" })).toEqual({ A: "B" });
    expect(given).toEqual(["A", { A: "B" }]);
    const told = workflow("told", (input: ReturnType<typeof message>) => textOf(input), { plugins });
    expect(await told(message("user", "a"))).toBe("A");
    const asked = workflow("asked", (input: string, within) => agent("a", "said").run(input, within), { plugins });
    expect(await asked("x")).toMatchObject({ status: "completed", text: "SAID", rounds: 1 });
  });

  it("gives the text of a layer that answers in its place, and goes on from one that asks again", async () => {
    const cache = definePlugin({
      name: "cache",
      agent: async (invocation) => invocation.respond({ value: { message: message("assistant", "kept") } }),
    });
    expect(await workflow("w", (input: string) => input, { plugins: [cache] })("x")).toBe("kept");
    const again = definePlugin({ name: "again", agent: (_, callNext) => callNext().catch(() => callNext()) });
    let calls = 0;
    const flaky = () => (calls++ === 0 ? Promise.reject(new Error("once")) : "well");
    expect(await workflow("w", flaky, { plugins: [again] })("x")).toBe("well");
    const stop = definePlugin({ name: "stop", agent: () => Promise.reject(new MiddlewareTermination("no")) });
    await expect(workflow("w", flaky, { plugins: [stop] })("x")).rejects.toThrow("no");
  });

  it("is suspended if it returns the suspended result of an agent, which continues in another run of the workflow", async () => {
    const { plugin, ends } = seeing();
    let refunds = 0;
    const refund = defineTool({ name: "refund", needsApproval: true, execute: () => ++refunds });
    const clerk = createAgent({ name: "clerk", model: scripted([call("1", "refund")], "Refunded."), tools: [refund] });
    type Input = Parameters<typeof clerk.run>[0];
    const desk = workflow("desk", (input: Input, within): Promise<AgentResult> => clerk.run(input, within), {
      plugins: [plugin],
    });
    const waits = await desk("Refund it.");
    if (waits.status !== "suspended") throw new Error("It does not wait.");
    const [pending] = waits.pending.calls;
    if (pending === undefined) throw new Error("Nothing waits.");
    const state = JSON.parse(JSON.stringify(waits.pending));
    const done = await desk({ pending: state, decisions: [approve(pending)] });
    expect(done).toMatchObject({ status: "completed", text: "Refunded." });
    expect(refunds).toBe(1);
    expect(ends).toEqual(["suspended", "completed"]);
    const person = definePlugin({ name: "person", agent: async (invocation) => invocation.respond({ suspended: [] }) });
    expect(await codeOf(workflow("w", () => "x", { plugins: [person] })("x"))).toBe("ERR_AGENT_SUSPENDED_ELSEWHERE");
  });

  it("is aborted with what runs in it", async () => {
    const { plugin, ends } = seeing();
    const controller = new AbortController();
    const reason = new Error("enough");
    const slow = defineTool({
      name: "slow",
      execute: () => {
        controller.abort(reason);
        return new Promise(() => {});
      },
    });
    const worker = createAgent({ name: "worker", model: scripted([call("1", "slow")]), tools: [slow] });
    const work = workflow("work", (input: string, within) => worker.run(input, within), { plugins: [plugin] });
    await expect(work("x", { signal: controller.signal })).rejects.toBe(reason);
    expect(ends).toEqual(["cancelled"]);
  });

  it("hands plugins for sub-agents on to its agents", async () => {
    const models: string[] = [];
    const counting = definePlugin({
      name: "counting",
      inSubAgents: true,
      model: (invocation, callNext) => {
        models.push(`${invocation.runtime.agent?.name}`);
        return callNext();
      },
    });
    const both = workflow(
      "both",
      async (input: string, within) => {
        await agent("one", "1").run(input, within);
        return workflow("inner", (text: string, deeper) => agent("two", "2").run(text, deeper))(input, within);
      },
      { plugins: [counting] },
    );
    await both("x");
    expect(models).toEqual(["one", "two"]);
  });

  it("needs a name", () => {
    expect(() => workflow("", () => 1)).toThrow(expect.objectContaining({ code: "ERR_AGENT_OPTIONS" }));
  });
});

it.each(["run", "stream"] as const)(
  "a workflow whose agents plan gives no personal data away (%s), and is a tree of spans",
  async (mode) => {
    const watch = watched({ apply: { output: true, toolArguments: true, toolResults: true, errors: true } });
    const { plugins } = watch;
    const thinks = defineTool({
      name: "think",
      plans: true,
      execute: async (_, runtime, parent) => {
        const reply = await runtime.ask?.({ messages: [message("user", text)] }, { parent, purpose: "think" });
        return textOf(reply?.message ?? []);
      },
    });
    const planner = createAgent({
      name: "planner",
      plans: "first",
      model: scripted([call("1", "think")], text, text),
      tools: [thinks],
      plugins,
    });
    const writer = createAgent({ name: "writer", operation: "workflow", model: scripted(text), plugins });
    const report = workflow(
      "report",
      async (topic: string, within) => {
        const run = (each: typeof planner) =>
          mode === "run" ? each.run(topic, within) : each.stream(topic, within).result;
        await run(planner);
        return run(writer);
      },
      { plugins: around(plugins) },
    );
    const done = await report(text);
    const tree = watch.tree();
    const { spans, records } = await watch.written();
    for (const told of [done.status === "completed" && done.text, spans, records]) expect(found(told)).toEqual([]);
    expect(tree).toEqual([
      "invoke_workflow report",
      "  invoke_agent planner",
      "    plan planner",
      "      chat scripted-1",
      "    execute_tool think",
      "      plan planner",
      "        chat scripted-1",
      "    chat scripted-1",
      "  invoke_workflow writer",
      "    chat scripted-1",
    ]);
    const operations = records
      .map((record) => JSON.parse(record))
      .filter(({ type, stage }) => type === "agent" && stage === "intent");
    expect(operations.map(({ operation, target }) => [operation, target.name])).toEqual([
      ["invoke_workflow", "report"],
      ["invoke_agent", "planner"],
      ["invoke_workflow", "writer"],
    ]);
  },
);

it("spans of a workflow have its name, those of a plan the agent's name, and both record failures", async () => {
  const watch = watched();
  const { plugins, exporter } = watch;
  const planner = createAgent({ name: "planner", plans: "every", model: scripted(new TypeError("gone")), plugins });
  const report = workflow("report", (topic: string, within) => planner.run(topic, within), {
    plugins: around(plugins),
    description: "d",
  });
  await expect(report("Tea", { sessionId: "s-1" })).rejects.toThrow("gone");
  const spans = exporter.getFinishedSpans();
  const attributesOf = (name: string) => spans.find((span) => span.name === name)?.attributes;
  expect(attributesOf("invoke_workflow report")).toEqual({
    "gen_ai.operation.name": "invoke_workflow",
    "gen_ai.agent.name": "report",
    "gen_ai.agent.description": "d",
    "gen_ai.conversation.id": "s-1",
    "session.id": "s-1",
    "suite.run.id": expect.any(String),
    "gen_ai.input.messages": expect.stringContaining("Tea"),
    "error.type": "TypeError",
  });
  expect(attributesOf("plan planner")).toEqual({
    "gen_ai.operation.name": "plan",
    "gen_ai.agent.name": "planner",
    "suite.conversation.id": "s-1",
    "session.id": "s-1",
    "error.type": "TypeError",
  });
});
