import { describe, expect, it } from "@jest/globals";
import { collect, useServer } from "./clients.js";

const use = useServer();
const request = { model: "claude-test", max_tokens: 100, messages: [{ role: "user" as const, content: "Hello" }] };
const answer = {
  reasoning: { content: "Two tools help.", signature: "sealed" },
  text: "One moment 🌦️.",
  toolCalls: [
    { id: "toolu_a", name: "weather", arguments: { city: "Köln" } },
    { id: "toolu_b", name: "clock", arguments: {} },
  ],
  usage: { inputTokens: 20, outputTokens: 7, cacheReadInputTokens: 12, cacheCreationInputTokens: 3 },
};
const content = [
  { type: "thinking", thinking: "Two tools help.", signature: "sealed" },
  { type: "text", text: "One moment 🌦️." },
  { type: "tool_use", id: "toolu_a", name: "weather", input: { city: "Köln" } },
  { type: "tool_use", id: "toolu_b", name: "clock", input: {} },
];
/** The usage: in this protocol the input tokens leave out what a cache was read or written for. */
const usage = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 12, cache_creation_input_tokens: 3 };

describe("messages, read by the anthropic client", () => {
  it("gives thinking with its signature, text, tool calls and usage", async () => {
    use.server.script(answer);
    const message = await use.anthropic().messages.create(request);
    expect(message).toMatchObject({ role: "assistant", model: "claude-test", content, usage, stop_reason: "tool_use" });
  });

  it.each(["characters", 5, undefined] as const)(
    "streams the same, cut by %s, which the stream helper puts together",
    async (chunks) => {
      use.server.script({ ...answer, ...(chunks && { chunks }) });
      const final = await use.anthropic().messages.stream(request).finalMessage();
      expect(final).toMatchObject({ content, usage, stop_reason: "tool_use" });
    },
  );

  it("streams text and the JSON of arguments in the pieces that were scripted", async () => {
    use.server.script({
      text: "to ada@example.com",
      chunks: ["to ada@", "example.com"],
      toolCalls: [{ name: "mail", arguments: { to: "ada" }, chunks: ['{"to":"a', 'da"}'] }],
    });
    const events = await collect(await use.anthropic().messages.create({ ...request, stream: true }));
    const deltas = events.flatMap((event) => (event.type === "content_block_delta" ? [event.delta] : []));
    expect(deltas).toMatchObject([
      { type: "text_delta", text: "" },
      { type: "text_delta", text: "to ada@" },
      { type: "text_delta", text: "example.com" },
      { type: "text_delta", text: "" },
      { type: "input_json_delta", partial_json: "" },
      { type: "input_json_delta", partial_json: '{"to":"a' },
      { type: "input_json_delta", partial_json: 'da"}' },
      { type: "input_json_delta", partial_json: "" },
    ]);
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(["message_start", "message_delta", "message_stop"]),
    );
  });

  it("says why it stopped", async () => {
    use.server.script({ text: "Done." }, { text: "and so o", finishReason: "length" });
    expect((await use.anthropic().messages.create(request)).stop_reason).toBe("end_turn");
    expect((await use.anthropic().messages.create(request)).stop_reason).toBe("max_tokens");
  });
});
