import { describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { pii } from "@suite/pii";
import { withPlugins } from "../src/index.js";
import { all, called, said, scripted } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const guard = () => pii({ email: "redact" }, { apply: { output: true, toolResults: true } });
const email = "jane@x.com";

/** One run, streamed or not: its result, and its events. */
async function ran(output: agents.AgentOutputItem[], stream: boolean) {
  const { run } = withPlugins(agents, [guard()]);
  const agent = new agents.Agent({ name: "desk", model: scripted(output).model });
  if (!stream) return { result: await run(agent, "Hi"), events: [] };
  const result = await run(agent, "Hi", { stream });
  const events = await all(result);
  await result.completed;
  return { result, events };
}

describe.each([false, true])("an answer behind a guard (streamed: %s)", (stream) => {
  it("keeps its text and its reasoning apart, in whichever order the guard lets them go", async () => {
    const reasoning: agents.ReasoningItem = { type: "reasoning", content: [{ type: "input_text", text: "hm" }] };
    const { result } = await ran([reasoning, said("It is so.")], stream);
    expect(result.finalOutput).toBe("It is so.");
    expect(result.rawResponses[0]?.output).toMatchObject([reasoning, { role: "assistant" }]);
  });

  it("keeps ids, and what its provider added without the value, if the guard changes its text", async () => {
    const providerData = { logprobs: [], note: `To ${email}` };
    const piece = { type: "output_text" as const, text: `Mail ${email}.`, providerData };
    const { result } = await ran([{ ...said("", "msg_1"), content: [piece], providerData: { kind: "final" } }], stream);
    const [item] = result.rawResponses[0]?.output ?? [];
    expect(item).toMatchObject({
      ...{ id: "msg_1", status: "completed", providerData: { kind: "final" } },
      content: [{ text: "Mail [REDACTED_EMAIL].", providerData: { logprobs: [], note: "To [REDACTED_EMAIL]" } }],
    });
  });

  it("is sent without the provider's additions if the guard finds something only there", async () => {
    const piece = { type: "output_text" as const, text: "Here.", providerData: { annotations: [{ title: email }] } };
    for (const item of [
      { ...said("Here."), content: [piece] },
      { ...said("Here."), providerData: { audio: { transcript: email } } },
    ]) {
      const { result, events } = await ran([item], stream);
      const told = [result.rawResponses, result.newItems.map(({ rawItem }) => rawItem), events, result.state];
      expect(JSON.stringify(told)).not.toContain(email);
      expect(result.finalOutput).toBe("Here.");
    }
  });
});

it("text of a tool stays text if it is changed, even if it looks like JSON", async () => {
  const { model, asked } = scripted([said("Done.")]);
  const text = JSON.stringify({ type: "file", owner: email });
  const output = { type: "text" as const, text };
  const listed = { type: "function_call_result" as const, callId: "call_ls", name: "ls", status: "completed" as const };
  const { run } = withPlugins(agents, [guard()]);
  await run(new agents.Agent({ name: "desk", model }), [called("ls"), { ...listed, output }]);
  expect(asked[0]?.input.at(-1)).toMatchObject({
    output: { type: "text", text: text.replace(email, "[REDACTED_EMAIL]") },
  });
});
