import { describe, expect, it } from "@jest/globals";
import { type AgentResult, approve, createAgent, defineTool } from "@suite/agent";
import { definePlugin, type Message, type Plugin, textOf, toolCallsOf } from "@suite/core";
import { unansweredCalls } from "@suite/core/messages";
import { modelCallLimit, replyBudget, toolCallLimit } from "@suite/limits";
import { call, only, type Said, scripted, suspended } from "../../../agent/test/support.js";

// One round of the scripted model uses 10 input and 5 output tokens.
const add = defineTool({ name: "add", execute: () => "added" });
const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
const hint = "<system-reminder>";

const modes = ["run", "stream"] as const;
type Mode = (typeof modes)[number];

function agentOf(plugins: readonly Plugin[], ...rounds: readonly Said[]) {
  const model = scripted(...rounds);
  const agent = createAgent({ name: "outer", model, tools: [add, pay], plugins });
  const ask = (mode: Mode, input: Parameters<typeof agent.run>[0] = "x"): Promise<AgentResult> =>
    mode === "run" ? agent.run(input) : agent.stream(input).result;
  return { agent, model, ask };
}

const responses = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool_call_response" ? [part.response] : [])));

describe.each(modes)("a budget on a reply (%s)", (mode) => {
  it("adds the hint once, offers the tools but runs none, and keeps the hint out of the history", async () => {
    const budget = replyBudget({ tokenBudget: 20 });
    const { model, ask } = agentOf([budget], [call("1", "add")], [call("2", "add")], "in the end");
    const done = await ask(mode);
    expect(done).toMatchObject({ status: "completed", text: "in the end" });
    const hinted = model.asked.map(({ messages }) => messages.filter((each) => textOf(each).includes(hint)).length);
    expect(hinted).toEqual([0, 0, 1]);
    expect(model.asked.map(({ toolChoice, tools }) => [toolChoice, tools.length])).toEqual([
      [undefined, 2],
      [undefined, 2],
      ["none", 2],
    ]);
    expect(JSON.stringify(done.messages)).not.toContain(hint);
  });

  it("weighs input and output", async () => {
    const weighted = replyBudget({ tokenBudget: 30, inputTokenWeight: 0, outputTokenWeight: 6 });
    const { model, ask } = agentOf([weighted], [call("1", "add")], "in the end");
    await ask(mode);
    expect(model.asked[1]?.toolChoice).toBe("none");
  });

  it("stops a model that calls tools anyway", async () => {
    const { model, ask } = agentOf([replyBudget({ tokenBudget: 10 })], [call("1", "add")], [call("2", "add")], "never");
    const done = await ask(mode);
    expect(done).toMatchObject({ status: "completed", text: "The token budget of this reply is used up." });
    expect(model.asked).toHaveLength(2);
    expect(unansweredCalls(done.messages)).toEqual([]);
    expect(responses(done.messages)).toEqual(["added"]);
  });

  it("continues counting after a suspension, and starts again with the next reply", async () => {
    const { agent, model, ask } = agentOf([replyBudget({ tokenBudget: 15 })], [call("1", "pay")], "paid then", "again");
    const pending = await suspended(agent.run("x"));
    await ask(mode, { pending, decisions: [approve(only(pending))] });
    await ask(mode);
    expect(model.asked.map(({ toolChoice }) => toolChoice)).toEqual([undefined, "none", undefined]);
  });

  it("counts sub-agents and requests of plugins; two budgets count separately", async () => {
    const asks = definePlugin({
      name: "asks",
      async tool({ runtime, call: parent }, callNext) {
        await runtime.ask?.({ messages: [] }, { parent, purpose: "moderate" });
        await callNext();
      },
    });
    const inner = createAgent({ name: "inner", model: scripted("helped") }).asTool({ description: "helps" });
    const costs: unknown[] = [];
    const sees = definePlugin({
      name: "sees",
      observe: (told) => void (told.type === "limit" && costs.push([told.plugin, told.details?.cost])),
    });
    const model = scripted([call("1", "inner", { prompt: "x" })], "asked", "in the end");
    const plugins = [sees, replyBudget({ tokenBudget: 45 }), replyBudget({ tokenBudget: 40 }), asks];
    const agent = createAgent({ name: "outer", model, tools: [inner], plugins });
    await (mode === "run" ? agent.run("x") : agent.stream("x").result);
    // A round, what the plugin asks, the sub-agent: 15 tokens each.
    expect(costs).toEqual([
      ["reply-budget 45", 45],
      ["reply-budget 40", 45],
    ]);
  });
});

describe.each(modes)("a limit of calls (%s)", (mode) => {
  it("ends the run with a message, and the history is whole", async () => {
    const { model, ask } = agentOf([modelCallLimit({ runLimit: 1 })], [call("1", "add")], "never");
    const done = await ask(mode);
    expect(done).toMatchObject({ status: "completed", text: "The limit of model calls is reached: 1 per run." });
    expect(model.asked).toHaveLength(1);
    expect(unansweredCalls(done.messages)).toEqual([]);
  });

  it("keeps its count after a suspension", async () => {
    const limits = [modelCallLimit({ runLimit: 2 }), toolCallLimit({ runLimit: 1 })];
    const { agent, model, ask } = agentOf(limits, [call("1", "pay")], [call("2", "add")], "never");
    const pending = await suspended(agent.run("x"));
    const done = await ask(mode, { pending, decisions: [approve(only(pending))] });
    expect(model.asked).toHaveLength(2);
    expect(responses(done.messages)).toEqual(["paid", expect.stringContaining("not run")]);
    expect(done).toMatchObject({ text: "The limit of model calls is reached: 2 per run." });
  });

  it("runs those calls of a batch that are within it, answers for the rest in their place, and then ends", async () => {
    const batch = ["1", "2", "3"].map((id) => call(id, "add"));
    const { model, ask } = agentOf([toolCallLimit({ runLimit: 2, exitBehavior: "end" })], batch, "never");
    const done = await ask(mode);
    expect(responses(done.messages)).toEqual(["added", "added", expect.stringContaining("not run")]);
    expect(done).toMatchObject({ text: "The limit of tool calls is reached: 2 per run." });
    expect(model.asked).toHaveLength(1);
    expect(toolCallsOf(done.messages[1] ?? { role: "assistant", parts: [] })).toHaveLength(3);
  });

  it("holds for a run with its sub-agents", async () => {
    const inner = createAgent({ name: "inner", model: scripted([call("i", "add")], "never"), tools: [add] });
    const model = scripted([call("1", "inner", { prompt: "x" })], "never");
    const tools = [inner.asTool({ description: "helps" })];
    const agent = createAgent({ name: "outer", model, tools, plugins: [modelCallLimit({ runLimit: 2 })] });
    const done = await (mode === "run" ? agent.run("x") : agent.stream("x").result);
    expect(done).toMatchObject({ status: "completed", text: "The limit of model calls is reached: 2 per run." });
    expect(JSON.stringify(responses(done.messages))).toContain("2 per run");
  });
});
