import { describe, expect, it, jest } from "@jest/globals";
import * as agents from "@openai/agents";
import { pii } from "@suite/pii";
import { withPlugins } from "../src/index.js";
import { all, called, said, scripted } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const thought: agents.ReasoningItem = {
  type: "reasoning",
  id: "rs_1",
  content: [{ type: "input_text", text: "I should mail eve@example.com now." }],
  providerData: { encrypted_content: "c2ln" },
};
const look = agents.tool({
  ...({ name: "look", description: "", strict: false } as const),
  parameters: { type: "object", properties: {}, required: [], additionalProperties: true } as const,
  execute: async () => "seen",
});

/** Two runs of an agent with the guard: the second one goes on from the stored history of the first. */
async function ran(stream: boolean) {
  const { model, asked } = scripted([thought, called("look")], [said("Seen.")], [said("Done.")]);
  const { run } = withPlugins(agents, [pii({ email: "redact" }, { apply: { output: true } })]);
  const agent = new agents.Agent({ name: "desk", model, tools: [look] });
  const once = async (input: agents.AgentInputItem[]) => {
    if (!stream) return { result: await run(agent, input), events: [] };
    const result = await run(agent, input, { stream });
    const events = await all(result);
    await result.completed;
    return { result, events };
  };
  const { result, events } = await once([{ role: "user", content: "Hi" }]);
  const history = JSON.parse(JSON.stringify(result.history)) as agents.AgentInputItem[];
  await once([...history, { role: "user", content: "And?" }]);
  return { asked, read: [history, events, result.rawResponses, result.newItems.map(({ rawItem }) => rawItem)] };
}

describe.each([false, true])("encrypted reasoning with a value in it (streamed: %s)", (stream) => {
  it("goes back to its provider unchanged, in the next round and in the next run", async () => {
    const { asked } = await ran(stream);
    expect(asked).toHaveLength(3);
    expect(asked[1]?.input[1]).toEqual(thought);
    expect(asked[2]?.input[1]).toEqual(thought);
  });

  it("is not in what the reader gets", async () => {
    const { read } = await ran(stream);
    expect(JSON.stringify(read)).not.toMatch(/eve@|c2ln/);
  });
});

it.each([
  ["is left out for another provider if a value is in it", "anthropic", 1],
  ["is sent to its own provider", "openai", 2],
])("encrypted reasoning %s", async (_, provider, sent) => {
  const { model, asked } = scripted([said("Done.")]);
  const { run } = withPlugins(agents, [pii({ email: "redact" })]);
  await run(new agents.Agent({ name: "desk", model: Object.assign(model, { provider }) }), [
    thought,
    { role: "user", content: "Hi" },
  ]);
  expect(asked[0]?.input).toHaveLength(sent);
});
