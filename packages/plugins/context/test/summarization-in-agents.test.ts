import { describe, expect, it } from "@jest/globals";
import { type AgentResult, approve, createAgent, defineTool } from "@suite/agent";
import { summarization } from "@suite/context";
import { type Message, message, type Plugin, textOf } from "@suite/core";
import { unansweredCalls } from "@suite/core/messages";
import { modelCallLimit } from "@suite/limits";
import { resultOf, watchedAgent, watching } from "../../../../integration-tests/test/sketches/watched.js";
import { call, only, type Said, scripted, suspended } from "../../../agent/test/support.js";

const modes = ["run", "stream"] as const;
type Mode = (typeof modes)[number];

const told: string[] = [];
const ears: Plugin = {
  name: "ears",
  observe: (notification) => void (notification.type === "decision" && told.push(notification.decision)),
};

function agentOf(plugins: readonly Plugin[], ...rounds: readonly Said[]) {
  told.length = 0;
  const model = scripted(...rounds);
  const look = defineTool({ name: "look", execute: () => "found" });
  const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const agent = createAgent({ name: "outer", model, tools: [look, pay], plugins: [ears, ...plugins] });
  const ask = (mode: Mode, input: Parameters<typeof agent.run>[0]): Promise<AgentResult> =>
    mode === "run" ? agent.run(input) : agent.stream(input).result;
  return { agent, model, ask };
}

const turns = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, at) => [message("user", `q${at}`), message("assistant", `a${at}`)]).flat();
const shown = (messages: readonly Message[] | undefined) => (messages ?? []).map((each) => textOf(each));
const short = () => summarization({ trigger: { messages: 6 }, keep: { messages: 2 } });

describe.each(modes)("summarization in @suite/agent (%s)", (mode) => {
  it("replaces the history by a summary of the run's model, which is counted, and extends it in the next run", async () => {
    const { model, ask } = agentOf([short()], "They talked.", "Yes.", "They talked more.", "No.");
    const first = await ask(mode, [...turns(4), message("user", "q4")]);
    expect(first).toMatchObject({ text: "Yes.", inferenceCalls: 2, usage: { inputTokens: 20 } });
    expect(shown(first.messages)).toEqual([expect.stringContaining("They talked."), "q4", "Yes."]);
    expect(model.asked[0]).toMatchObject({ purpose: "summarize", tools: [] });
    expect(shown(model.asked[1]?.messages)).toEqual([expect.stringContaining("They talked."), "q4"]);

    const next = await ask(mode, [...first.messages, ...turns(3), message("user", "last")]);
    expect(shown(next.messages)).toEqual([expect.stringContaining("They talked more."), "last", "No."]);
    const again = shown(model.asked[2]?.messages)[0];
    expect(again).toContain("<earlier-summary>\nThey talked.");
    expect(again).not.toContain("Here is a summary");
    expect(told).toEqual(["summarized", "summarized"]);
  });

  // In another system a compression's model calls pass no model hook, and no budget counts them.
  it("is counted and limited as any model call is", async () => {
    const { model, ask } = agentOf([modelCallLimit({ runLimit: 1 }), short()], "They talked.", "never");
    const done = await ask(mode, [...turns(4), message("user", "q4")]);
    expect(model.asked).toHaveLength(1);
    expect(done).toMatchObject({ text: expect.stringContaining("The limit of model calls is reached") });
  });

  it("takes no layer's answer in the model's place for a summary: the history would be lost", async () => {
    const cache: Plugin = {
      name: "ends",
      async model(invocation, callNext) {
        if (invocation.request.purpose === undefined) return callNext();
        invocation.respond({ value: { message: message("assistant", "The limit is reached.") } });
      },
    };
    const { ask } = agentOf([cache, short()], "Yes.");
    const history = [...turns(4), message("user", "q4")];
    const done = await ask(mode, history);
    expect(done.messages.slice(0, -1)).toEqual(history);
    expect(told).toEqual(["failed"]);
  });

  // In another system a summariser that fails ends the run.
  it("that fails does not end the run", async () => {
    const { ask } = agentOf([short()], new Error("503"), "Yes.");
    const history = [...turns(4), message("user", "q4")];
    const done = await ask(mode, history);
    expect(done).toMatchObject({ status: "completed", text: "Yes." });
    expect(done.messages.slice(0, -1)).toEqual(history);
  });

  it("keeps the summary over a suspension, and no call without its result", async () => {
    const { agent, model, ask } = agentOf([short()], "They talked.", [call("1", "pay")], "Paid.");
    const pending = await suspended(ask(mode, [...turns(4), message("user", "q4")]));
    const done = await (mode === "run"
      ? agent.run({ pending, decisions: [approve(only(pending))] })
      : agent.stream({ pending, decisions: [approve(only(pending))] }).result);
    expect(done).toMatchObject({ status: "completed", text: "Paid." });
    expect(shown(model.asked[2]?.messages)[0]).toContain("They talked.");
    expect(unansweredCalls(done.messages)).toEqual([]);
  });
});

// In another system a compression's model calls have no span.
describe("summarization with tracing, audit and pii", () => {
  const seen = watching();
  it.each(modes)("is a traced, recorded and guarded model call (%s)", async (mode) => {
    const model = scripted("A guest asked about onions.", "Slowly.");
    const agent = watchedAgent(seen, { model, plugins: [short()] });
    const mail = "jane.doe@example.com";
    const history = [message("user", `I am ${mail}.`), ...turns(3), message("user", "And now?")];
    expect(await resultOf(agent, history, mode)).toMatchObject({ text: "Slowly.", inferenceCalls: 2 });
    expect(JSON.stringify(model.asked)).not.toContain(mail);
    const chats = seen.spans().filter(({ name }) => name === "chat scripted-1");
    expect(chats.map(({ attributes }) => attributes["suite.model.purpose"])).toEqual(["summarize", undefined]);
    expect(seen.decisionsOnSpans()).toEqual([[expect.any(String), "summarization", "summarized", true]]);
    const asked = seen.records.filter(({ type, details }) => type === "model" && details?.purpose !== undefined);
    expect(asked.map(({ details }) => details?.purpose)).toEqual(["summarize", "summarize"]); // before and after
  });
});
