import { describe, expect, it } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { withPlugins } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";
import { asks, collect } from "./support.js";

const thought = "I should mail eve@example.com now.";
const original = { type: "thinking", thinking: thought, signature: "c2ln" };
const by = (model_provider: string) => ({ response_metadata: { model_provider } });
const call = { type: "tool_call_chunk" as const, index: 2, id: "c", name: "look", args: "{}" };
const thinking = (piece: object) => ({ content: [{ type: "thinking", index: 0, ...piece }], ...by("anthropic") });
const answer = [
  thinking({ thinking: "I should mail eve@" }),
  thinking({ thinking: "example.com now." }),
  thinking({ thinking: "", signature: "c2ln" }),
  { content: [{ type: "text", index: 1, text: "Let me look." }] },
  { content: [], tool_call_chunks: [call], response_metadata: { stop_reason: "tool_use" } },
];

const guard = () => pii({ email: "redact" }, { apply: { output: true } });

/** Asks an agent with the guard twice, the second time with its own answer in the history. */
async function ask(way: "invoke" | "stream") {
  const model = new ScriptedModel([answer]);
  const look = tool(() => "seen", { name: "look", schema: { type: "object", properties: {} } });
  const agent = withPlugins(langchain, [guard()]).createAgent({ model, tools: [look] });
  const read: unknown[] = [];
  const run = async (messages: BaseMessage[]): Promise<BaseMessage[]> => {
    if (way === "invoke") return (await agent.invoke({ messages })).messages;
    const pieces = await collect(await agent.stream({ messages }, { streamMode: ["messages", "values"] }));
    read.push(...pieces);
    const states = pieces.flatMap(([mode, state]) => (mode === "values" ? [state as { messages: BaseMessage[] }] : []));
    return states.at(-1)?.messages ?? [];
  };
  const messages = await run([new HumanMessage("Hello.")]);
  await run([...messages, new HumanMessage("And?")]);
  const sent = model.asked.map((all) => all.flatMap(({ content }) => content as unknown[]));
  return { sent, read: [...read, messages] };
}

describe.each(["invoke", "stream"] as const)("signed reasoning with a value in it, by %s,", (way) => {
  it("goes back to its provider unchanged, in the next round and in the next turn", async () => {
    const { sent } = await ask(way);
    expect(sent).toHaveLength(3);
    for (const content of sent.slice(1)) {
      expect(content).toContainEqual(expect.objectContaining(original));
      expect(content.findIndex((block) => (block as typeof original).type === "thinking")).toBeLessThan(
        content.findIndex((block) => (block as { text?: string }).text === "Let me look."),
      );
    }
  });

  it("is not in what the reader gets", async () => {
    const { read } = await ask(way);
    expect(JSON.stringify(read)).not.toMatch(/eve@|c2ln/);
  });
});

it.each([
  ["of another provider is left out if a value is in it", "google", [{ thinking: "Hm." }, { text: "Hi." }]],
  ["of the provider itself is sent", "anthropic", [{ thinking: "Hm." }, original, { text: "Hi." }]],
])("signed reasoning %s", async (_, provider, content) => {
  const model = new ScriptedModel([[{ content: "Done." }]], provider);
  const said = new AIMessage({
    content: [{ ...original, thinking: "Hm." }, original, { type: "text", text: "Hi." }],
    ...by("anthropic"),
  });
  await withPlugins(langchain, [pii({ email: "redact" })])
    .createAgent({ model })
    .invoke({ messages: [said, ...asks("Hello.").messages] as BaseMessage[] });
  expect(model.asked[0]?.[0]?.content).toMatchObject(content);
});

it("withheld reasoning without a stored original is left out", async () => {
  const model = new ScriptedModel([[{ content: "Done." }]]);
  const said = new AIMessage({
    content: [
      { ...original, thinking: "", signature: "suite:gone" },
      { type: "text", text: "Hi." },
    ],
  });
  await withPlugins(langchain, [guard()])
    .createAgent({ model })
    .invoke({ messages: [said, new HumanMessage("Hello.")] });
  expect(model.asked[0]?.[0]?.content).toMatchObject([{ text: "Hi." }]);
});
