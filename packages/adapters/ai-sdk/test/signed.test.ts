import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { type Delta, definePlugin, type Part } from "@suite/core";
import * as ai from "ai";
import { all, type Chunk, ending, scripted, textChunks, textResult } from "./support.js";

const secret = "eve@x.y";
const redact = (text: string): string => text.replaceAll(secret, "[EMAIL]");
const thought = `I should mail ${secret} now.`;
const signature = { test: { signature: "c2ln" } };
const has = (part: Part): boolean => part.type === "reasoning" && part.content.includes(secret);

/** Takes signed reasoning with a value out of answers, as a guard does that may not change it. */
const guard = definePlugin({
  name: "guard",
  redactor: { redact, value: (value) => JSON.parse(redact(JSON.stringify(value))) },
  async model(invocation, callNext) {
    await callNext();
    const removed = new Set<string>();
    invocation.pipe({
      chunk(delta: Delta, emit) {
        if (delta.type === "part" && (has(delta.part) || removed.has(delta.at))) removed.add(delta.at);
        else return emit(delta);
      },
    });
  },
});

const look = ai.tool({ inputSchema: ai.jsonSchema<object>({ type: "object" }), execute: () => "seen" });
const call = { type: "tool-call" as const, toolCallId: "c", toolName: "look", input: "{}" };
const whole = {
  content: [{ type: "reasoning" as const, text: thought, providerMetadata: signature }, call],
  ...ending("tool-calls"),
  warnings: [],
};
const chunks: readonly Chunk[] = [
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: thought },
  { type: "reasoning-delta", id: "r", delta: "", providerMetadata: signature },
  { type: "reasoning-end", id: "r" },
  call,
  { type: "finish", ...ending("tool-calls") },
];
const original = { type: "reasoning", text: thought, providerOptions: signature };

/** The messages of all steps. In the AI SDK 7 a response has those of the last one only. */
const messagesOf = async (result: object, { messages }: { readonly messages: ai.ModelMessage[] }) =>
  (await (result as { readonly responseMessages?: ai.ModelMessage[] }).responseMessages) ?? messages;

async function ask(way: "whole" | "streamed") {
  const { model, asked } = scripted(
    way === "whole"
      ? [whole, textResult("Done."), textResult("Again.")]
      : [chunks, textChunks("Done."), textChunks("Again.")],
  );
  const { generateText, streamText } = withPlugins(ai, [guard]);
  const settings = { model, tools: { look }, stopWhen: ai.stepCountIs(3) };
  const run = async (messages: ai.ModelMessage[]) => {
    if (way === "whole") {
      const result = await generateText({ ...settings, messages });
      return { read: result.content, messages: await messagesOf(result, result.response) };
    }
    const result = streamText({ ...settings, messages });
    const read = await all(result.fullStream);
    return {
      read: read.filter(({ type }) => type.startsWith("reasoning")),
      messages: await messagesOf(result, await result.response),
    };
  };
  const user: ai.ModelMessage = { role: "user", content: "Hi" };
  const first = await run([user]);
  const messages = JSON.parse(JSON.stringify(first.messages)) as ai.ModelMessage[];
  await run([user, ...messages, user]);
  const sent = asked.map(({ prompt }) => prompt.flatMap(({ content }) => content as unknown[]));
  return { ...first, sent };
}

describe.each(["whole", "streamed"] as const)("signed reasoning with a value in it, %s,", (way) => {
  it("goes back to its provider unchanged, in the next step and in the next turn", async () => {
    const { sent } = await ask(way);
    expect(sent[1]).toContainEqual(original);
    expect(sent[2]).toContainEqual(original);
  });

  it("is not in what the reader gets", async () => {
    const { read, messages } = await ask(way);
    expect(JSON.stringify([read, messages])).not.toMatch(/eve@x\.y|c2ln/);
  });
});

it("signed reasoning of another provider is left out if a value is in it", async () => {
  const { model, asked } = scripted([textResult("Done.")]);
  const { generateText } = withPlugins(ai, [guard]);
  const of = (provider: string, text: string) => ({
    type: "reasoning" as const,
    text,
    providerOptions: { [provider]: { signature: "c2ln" } },
  });
  const content = [
    of("other", thought),
    of("other", "Hm."),
    of("test", thought),
    { type: "text" as const, text: "Hi." },
  ];
  await generateText({
    model,
    messages: [
      { role: "assistant", content },
      { role: "user", content: "Hi" },
    ],
  });
  const [sent] = asked[0]?.prompt ?? [];
  expect(sent?.content).toMatchObject([
    { text: "Hm." },
    { text: thought, providerOptions: signature },
    { text: "Hi." },
  ]);
});
