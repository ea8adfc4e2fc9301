import { describe, expect, it } from "@jest/globals";
import { useServer } from "./clients.js";

const use = useServer();

/** The text of a stream, and the data of its events. */
async function streamed(path: string, body: object = {}) {
  use.server.script({
    reasoning: "I think.",
    text: "Hello, Ada.",
    toolCalls: [{ name: "look", arguments: {} }],
    chunks: 4,
  });
  const request = { model: "m", stream: true, stream_options: { include_usage: true }, ...body };
  const response = await fetch(`${use.server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  const events = text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice("data: ".length))] : []));
  return { text, events };
}

describe("the model server streams events as real servers do", () => {
  it.each(["/v1/chat/completions", "/v1/responses", "/v1/messages"])("%s begins with a comment", async (path) => {
    expect((await streamed(path)).text).toMatch(/^: keep-alive\n\n(event|data): /);
  });

  it("chat completions have a role chunk, padding, a finish chunk, a usage chunk and a mark of the end", async () => {
    const { text, events } = await streamed("/v1/chat/completions");
    expect(events[0]).toMatchObject({
      service_tier: "default",
      system_fingerprint: "fp_testkit",
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null }],
      usage: null,
    });
    expect(events.every((event) => typeof event.obfuscation === "string")).toBe(true);
    expect(new Set(events.map((event) => event.obfuscation.length)).size).toBeGreaterThan(1);
    expect(events.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: "tool_calls" }] });
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("responses have padding in each delta, parts that begin and end, and numbers", async () => {
    const { events } = await streamed("/v1/responses");
    const deltas = events.filter(({ type }) => type.endsWith(".delta"));
    expect(deltas.every(({ obfuscation }) => typeof obfuscation === "string")).toBe(true);
    const types = events.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(["response.in_progress", "response.content_part.added", "response.content_part.done"]),
    );
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
  });

  it("messages have a ping, a signature and the usage at the end", async () => {
    const { events } = await streamed("/v1/messages");
    expect(events).toContainEqual({ type: "ping" });
    expect(events).toContainEqual(
      expect.objectContaining({ delta: { type: "signature_delta", signature: expect.any(String) } }),
    );
    expect(events.at(-2)).toMatchObject({ type: "message_delta", usage: { service_tier: "standard" } });
  });

  it.each(["/v1/chat/completions", "/v1/responses"])(
    "%s has no padding if the request switches it off",
    async (path) => {
      const { text } = await streamed(path, { stream_options: { include_obfuscation: false } });
      expect(text).not.toContain("obfuscation");
    },
  );
});
