import { describe, expect, it } from "@jest/globals";
import { type AsToolOptions, approve, createAgent, defineTool } from "@suite/agent";
import { type Message, type Plugin, textOf } from "@suite/core";
import { call, type Said, scripted, suspended } from "./support.js";

const text = (content: string) => ({ type: "text", content }) as const;
const hand = (prompt: string, id = "1") => call(id, "hand_to_billing", { prompt });
const asked = (request: { readonly messages: readonly Message[] } | undefined) =>
  (request?.messages ?? []).map(({ role, parts }) => `${role}: ${textOf(parts)}`);

/** A desk that hands conversations to billing, and the models of both. */
function desk(
  rounds: readonly Said[],
  answers: readonly Said[],
  options: Partial<AsToolOptions> & { readonly plugins?: readonly Plugin[] } = {},
) {
  const { plugins = [], ...rest } = options;
  const ran: string[] = [];
  const pay = defineTool({ name: "pay", needsApproval: true, execute: () => ran.push("pay") && "paid" });
  const look = defineTool({ name: "look", execute: () => "an internal result" });
  const [model, other] = [scripted(...rounds), scripted(...answers)];
  const billing = createAgent({ name: "billing", model: other, tools: [pay] });
  const tools = [look, billing.handoff({ description: "For invoices.", ...rest })];
  const agent = createAgent({ name: "desk", model, tools, plugins });
  return { agent, model, other, ran };
}

describe("a handoff", () => {
  it("gives the conversation to another agent, whose answer is the run's", async () => {
    const { agent, model, other } = desk([[hand("Refund order 17.")], "never"], ["It is refunded."]);
    const result = await agent.run("I want my money back.");
    expect(result).toMatchObject({ status: "completed", text: "It is refunded.", finishReason: "stop" });
    expect(model.asked).toHaveLength(1);
    expect(asked(other.asked[0])).toEqual(["user: I want my money back.", "user: Refund order 17."]);
    const roles = result.messages.map(({ role }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("is streamed as the answer", async () => {
    const { agent } = desk([[hand("Refund it.")]], ["It is refunded."]);
    const stream = agent.stream("Refund?");
    let said = "";
    for await (const delta of stream)
      if (delta.type === "part" && delta.part.type === "text") said += delta.part.content;
    expect(said).toBe("It is refunded.");
    expect(await stream.result).toMatchObject({ text: "It is refunded." });
  });

  it("shows what was said, and no call, no result, no reasoning", async () => {
    const before: readonly Said[] = [
      [text("I look."), call("0", "look")],
      [text("I hand over."), hand("Go on.")],
    ];
    const { agent, other } = desk(before, ["Done."]);
    await agent.run("Please look.");
    expect(asked(other.asked[0])).toEqual([
      "user: Please look.",
      "assistant: I look.",
      "assistant: I hand over.",
      "user: Go on.",
    ]);
    expect(JSON.stringify(other.asked)).not.toContain("internal result");
  });

  it.each([
    ["nothing", ["user: Go on."]],
    [(history: readonly Message[]) => history.slice(-2), ["assistant: ", "tool: ", "user: Go on."]],
  ] as const)("shows what it is told to", async (sees, expected) => {
    const { agent, other } = desk([[call("0", "look")], [hand("Go on.")]], ["Done."], { sees });
    await agent.run("Please look.");
    expect(asked(other.asked[0])).toEqual(expected);
    expect(JSON.stringify(other.asked).includes("internal result")).toBe(sees !== "nothing");
  });

  it("keeps approvals: the run waits for those of the other agent, and ends with its answer", async () => {
    const { agent, model, other, ran } = desk([[hand("Pay it.")], "never"], [[call("p", "pay")], "It is paid."]);
    const pending = await suspended(agent.run("Pay."));
    expect(ran).toEqual([]);
    const decisions = pending.calls.map((each) => approve(each));
    const result = await agent.run({ pending, decisions });
    expect(result).toMatchObject({ status: "completed", text: "It is paid." });
    expect(ran).toEqual(["pay"]);
    expect(model.asked).toHaveLength(1);
    expect(asked(other.asked[1]).slice(0, 2)).toEqual(["user: Pay.", "user: Pay it."]);
  });

  it("keeps budgets, trace and guards: its calls are calls of the run, and its answer passes the layers of the tool", async () => {
    const kinds: string[] = [];
    const watch: Plugin = {
      name: "watch",
      inSubAgents: true,
      async model(invocation, callNext) {
        const parents: string[] = [];
        for (let at = invocation.call.parent; at !== undefined; at = at.parent) parents.push(at.kind);
        kinds.push(parents.filter((kind) => kind !== "reasoning").join());
        await callNext();
      },
      async tool(invocation, callNext) {
        await callNext();
        invocation.pipe({ chunk: (chunk, emit) => emit(String(chunk).replace("jane@x.com", "[email]")) });
      },
    };
    const { agent } = desk([[hand("Go on.")]], ["Sent to jane@x.com."], { plugins: [watch] });
    const result = await agent.run("Send it.");
    expect(result).toMatchObject({ text: "Sent to [email].", usage: { inputTokens: 20, outputTokens: 10 } });
    expect(JSON.stringify(result.messages)).not.toContain("jane@x.com");
    expect(kinds).toEqual(["agent", "agent,tool,agent"]);
  });

  it("leaves the conversation with the caller where the other agent fails, or was not let", async () => {
    const { agent } = desk([[hand("Go on.")], "I do it myself."], [new Error("down")]);
    expect(await agent.run("Go.")).toMatchObject({ text: "I do it myself." });
    const refuse: Plugin = {
      name: "refuse",
      async tool(invocation) {
        invocation.respond({ value: "Not allowed.", isError: true });
      },
    };
    const refused = desk([[hand("Go on.")], "I do it myself."], ["never"], { plugins: [refuse] });
    expect(await refused.agent.run("Go.")).toMatchObject({ text: "I do it myself." });
    expect(refused.other.asked).toEqual([]);
  });
});
