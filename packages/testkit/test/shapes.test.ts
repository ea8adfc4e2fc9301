import { describe, expect, it } from "@jest/globals";
import { useServer } from "./clients.js";

const use = useServer();

const paths = ["/v1/chat/completions", "/v1/responses", "/v1/messages"];

/** The body of the answer to one request, as a string. */
async function asked(path: string, body: object): Promise<string> {
  use.server.script({
    reasoning: "I think.",
    text: "Hello, Ada.",
    toolCalls: [{ name: "look", arguments: { at: { ship: 7 } } }],
    chunks: 4,
  });
  const response = await fetch(`${use.server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", metadata: { user: "ada" }, ...body }),
  });
  return response.text();
}

/** The text of a stream, and the data of its events. */
async function streamed(path: string, body: object = {}) {
  const text = await asked(path, { stream: true, stream_options: { include_usage: true }, ...body });
  const events = text
    .split("\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice("data: ".length))] : []));
  return { text, events };
}

/** The paths of all objects in a value that lack the unknown field. */
const familiar = (value: unknown, path = "$"): readonly string[] =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(Array.isArray(value) || "x_testkit" in value ? [] : [path]),
        ...Object.entries(value).flatMap(([key, inner]) =>
          ["x_testkit", "input", "metadata", "text"].includes(key) ? [] : familiar(inner, `${path}.${key}`),
        ),
      ];

describe("the model server sends fields that no client knows", () => {
  it.each(paths)(
    "%s has one in each object of an answer, and none in what a script or a request contains",
    async (path) => {
      const answer = await asked(path, {});
      expect(familiar(JSON.parse(answer))).toEqual([]);
      expect(answer.replaceAll("\\", "")).toContain('{"at":{"ship":7}}');
    },
  );

  it.each(paths)("%s has one in each object of each event", async (path) => {
    const { events } = await streamed(path);
    expect(events.length).toBeGreaterThan(5);
    expect(familiar(events)).toEqual([]);
  });

  it("responses repeat the request's metadata as it is", async () => {
    expect(JSON.parse(await asked("/v1/responses", {}))).toMatchObject({ metadata: { user: "ada" } });
  });

  it.each(paths)("%s has one in each object of an error", async (path) => {
    use.server.script({ fault: { status: 429 } });
    const response = await fetch(`${use.server.url}${path}`, { method: "POST", body: "{}" });
    expect(familiar(await response.json())).toEqual([]);
  });
});

describe("the model server sends empty deltas", () => {
  const empty = (events: readonly unknown[], find: (event: never) => unknown) =>
    events.filter((event) => find(event as never) === "").length;

  it("chat completions have one before and after the pieces of each part", async () => {
    const { events } = await streamed("/v1/chat/completions");
    type Chunk = { choices: { delta: { content?: string; reasoning_content?: string; tool_calls?: unknown[] } }[] };
    expect(empty(events, (chunk: Chunk) => chunk.choices[0]?.delta.content)).toBeGreaterThan(1);
    expect(empty(events, (chunk: Chunk) => chunk.choices[0]?.delta.reasoning_content)).toBe(2);
  });

  it.each([
    "response.output_text.delta",
    "response.reasoning_summary_text.delta",
    "response.function_call_arguments.delta",
  ])("responses have two of %s", async (type) => {
    const { events } = await streamed("/v1/responses");
    expect(empty(events, (event: { type: string; delta?: string }) => event.type === type && event.delta)).toBe(2);
  });

  it.each(["text", "thinking", "partial_json"])("messages have two of %s", async (key) => {
    const { events } = await streamed("/v1/messages");
    expect(empty(events, (event: { delta?: Record<string, string> }) => event.delta?.[key])).toBe(2);
  });
});

describe("the model server streams events as real servers do", () => {
  it.each(paths)("%s begins with a comment", async (path) => {
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
    expect(events).toContainEqual(expect.objectContaining({ type: "ping" }));
    expect(events).toContainEqual(
      expect.objectContaining({
        delta: expect.objectContaining({ type: "signature_delta", signature: expect.any(String) }),
      }),
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
