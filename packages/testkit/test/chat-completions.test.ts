import { describe, expect, it } from "@jest/globals";
import { collect, useServer } from "./clients.js";

const use = useServer();
const request = { model: "gpt-test", messages: [{ role: "user" as const, content: "Hello" }] };
const usage = { inputTokens: 20, outputTokens: 7, cacheReadInputTokens: 12, reasoningOutputTokens: 3 };
const wireUsage = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  prompt_tokens_details: { cached_tokens: 12 },
  completion_tokens_details: { reasoning_tokens: 3 },
};
const weather = { id: "call_a", name: "weather", arguments: { city: "Köln" } };
const clock = { id: "call_b", name: "clock", arguments: { zone: "CET" } };

describe("chat completions, read by the openai client", () => {
  it("gives a text with its usage, cached and reasoning tokens included", async () => {
    use.server.script({ text: "Grüß Gott 👋", usage });
    const completion = await use.openai().chat.completions.create(request);
    expect(completion).toMatchObject({ object: "chat.completion", model: "gpt-test", usage: wireUsage });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "Grüß Gott 👋", refusal: null },
    });
  });

  it("streams the text in the pieces that were scripted", async () => {
    use.server.script({ chunks: ["mail ad", "a@exa", "mple.com"] });
    const chunks = await collect(await use.openai().chat.completions.create({ ...request, stream: true }));
    const pieces = chunks.map((chunk) => chunk.choices[0]?.delta.content).filter(Boolean);
    expect(pieces).toEqual(["mail ad", "a@exa", "mple.com"]);
    expect(chunks.every((chunk) => chunk.usage === undefined)).toBe(true);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });

  it("streams the usage in a last chunk without choices, when it is asked for", async () => {
    use.server.script({ text: "Hi", usage });
    const chunks = await collect(
      await use.openai().chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } }),
    );
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: wireUsage });
    expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
  });

  it("gives tool calls", async () => {
    use.server.script({ toolCalls: [weather, clock] });
    const { choices } = await use.openai().chat.completions.create(request);
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: "call_a", type: "function", function: { name: "weather", arguments: '{"city":"Köln"}' } },
      { id: "call_b", type: "function", function: { name: "clock", arguments: '{"zone":"CET"}' } },
    ]);
  });

  it("streams text and tool calls, which the client's stream helper puts together", async () => {
    use.server.script({ text: "One moment.", toolCalls: [weather, clock], chunks: "characters" });
    const stream = use.openai().chat.completions.stream({ ...request, stream_options: { include_usage: true } });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe("One moment.");
    expect(final.choices[0]?.finish_reason).toBe("tool_calls");
    expect(
      final.choices[0]?.message.tool_calls?.map((call) => call.type === "function" && call.function.arguments),
    ).toEqual(['{"city":"Köln"}', '{"zone":"CET"}']);
    expect(final.usage?.total_tokens).toBeGreaterThan(1);
  });

  it("gives reasoning as compatible servers do", async () => {
    use.server.script({ reasoning: "Let me see.", text: "4" }, { reasoning: "Let me see.", text: "4", chunks: 4 });
    const plain = await use.openai().chat.completions.create(request);
    expect(plain.choices[0]?.message).toMatchObject({ reasoning_content: "Let me see.", content: "4" });
    const chunks = await collect(await use.openai().chat.completions.create({ ...request, stream: true }));
    const pieces = chunks.map(
      (chunk) => (chunk.choices[0]?.delta as { reasoning_content?: string })?.reasoning_content,
    );
    expect(pieces.filter(Boolean)).toEqual(["Let ", "me s", "ee."]);
  });

  it("says why it stopped", async () => {
    use.server.script({ text: "and so o", finishReason: "length" });
    const { choices } = await use.openai().chat.completions.create(request);
    expect(choices[0]?.finish_reason).toBe("length");
  });

  it("sends malformed tool arguments as they are scripted", async () => {
    use.server.script({ toolCalls: [{ name: "weather", arguments: '{"city": "Kö' }] });
    const { choices } = await use.openai().chat.completions.create(request);
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city": "Kö' } });
  });
});
