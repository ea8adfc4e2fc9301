import { describe, expect, it } from "@jest/globals";
import { collect, useServer } from "./clients.js";

const use = useServer();
const request = { model: "gpt-test", input: "Hello" };
const usage = { inputTokens: 20, outputTokens: 7, cacheReadInputTokens: 12, reasoningOutputTokens: 3 };
const wireUsage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 12 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 27,
};
const answer = {
  reasoning: { content: "Two tools help.", signature: "sealed" },
  text: "One moment 🌦️.",
  toolCalls: [
    { id: "call_a", name: "weather", arguments: { city: "Köln" } },
    { id: "call_b", name: "clock", arguments: { zone: "CET" } },
  ],
  usage,
};
const output = [
  { type: "reasoning", summary: [{ type: "summary_text", text: "Two tools help." }] },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "One moment 🌦️." }] },
  { type: "function_call", call_id: "call_a", name: "weather", arguments: '{"city":"Köln"}' },
  { type: "function_call", call_id: "call_b", name: "clock", arguments: '{"zone":"CET"}' },
];

describe("responses, read by the openai client", () => {
  it("gives reasoning, text, tool calls and usage", async () => {
    use.server.script(answer);
    const response = await use.openai().responses.create(request);
    expect(response).toMatchObject({ status: "completed", output, usage: wireUsage, output_text: "One moment 🌦️." });
  });

  it("streams the same, which the client's stream helper puts together", async () => {
    use.server.script({ ...answer, chunks: "characters" });
    const stream = use.openai().responses.stream(request);
    const events = await collect(stream);
    const deltas = events.filter((event) => event.type === "response.output_text.delta");
    expect(deltas.map((event) => event.delta)).toEqual(["", ...Array.from("One moment 🌦️."), ""]);
    expect(await stream.finalResponse()).toMatchObject({ status: "completed", output, usage: wireUsage });
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, i) => i));
  });

  it("puts the same together from the deltas alone as the last event says", async () => {
    use.server.script({ ...answer, chunks: 3 });
    const joined = new Map<string, string>();
    for await (const event of await use.openai().responses.create({ ...request, stream: true })) {
      if ("delta" in event && "item_id" in event && typeof event.delta === "string") {
        joined.set(event.item_id, (joined.get(event.item_id) ?? "") + event.delta);
      }
      if (event.type === "response.completed") {
        expect(event.response.output.map((item) => [...joined.keys()].includes(item.id ?? ""))).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }
    }
    expect([...joined.values()]).toEqual(["Two tools help.", "One moment 🌦️.", '{"city":"Köln"}', '{"zone":"CET"}']);
  });

  it("gives encrypted reasoning when it is asked for, and only then", async () => {
    use.server.script(answer, answer);
    const client = use.openai();
    const asked = await client.responses.create({ ...request, include: ["reasoning.encrypted_content"] });
    expect(asked.output[0]).toMatchObject({ encrypted_content: "sealed" });
    expect((await client.responses.create(request)).output[0]).not.toHaveProperty("encrypted_content");
  });

  it("says when the answer is incomplete, and why", async () => {
    use.server.script({ text: "and so o", finishReason: "length" }, { text: "and so o", finishReason: "length" });
    const expected = { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    expect(await use.openai().responses.create(request)).toMatchObject(expected);
    expect((await collect(await use.openai().responses.create({ ...request, stream: true }))).at(-1)).toMatchObject({
      type: "response.incomplete",
      response: expected,
    });
  });
});
