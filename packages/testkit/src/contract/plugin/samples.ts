import type { Chunk, Delta, Final, Kind, Message, Reply, Request } from "@suite/core";

/** One harmless call of a kind: what goes in, what comes out, and the chunks that add up to it. */
export interface Sample<K extends Kind> {
  readonly request: Request<K>;
  readonly final: Final<K>;
  readonly chunks: readonly Chunk<K>[];
}

const user = (content: string): Message => ({ role: "user", parts: [{ type: "text", content }] });

function reply(word: string): { readonly final: Reply; readonly chunks: readonly Delta[] } {
  const usage = { inputTokens: 9, outputTokens: 4 };
  const call = { type: "tool_call", id: `call-${word}`, name: "look" } as const;
  return {
    final: {
      message: {
        role: "assistant",
        parts: [
          { type: "text", content: `It is ${word} there.` },
          { ...call, arguments: { place: word } },
        ],
      },
      usage,
      finishReason: "tool_call",
    },
    chunks: [
      { type: "part", at: "0", part: { type: "text", content: "It is " } },
      { type: "part", at: "0", part: { type: "text", content: word } },
      { type: "part", at: "0", part: { type: "text", content: " there." } },
      { type: "part", at: "1", part: { ...call, arguments: {} } },
      { type: "arguments", at: "1", json: '{"place":' },
      { type: "arguments", at: "1", json: `${JSON.stringify(word)}}` },
      { type: "finish", usage, finishReason: "tool_call" },
    ],
  };
}

/** A sample of each kind, with a word in it by which two runs can be told apart. */
export function samplesOf(word: string): { readonly [K in Kind]: Sample<K> } {
  const messages = [user(`How is it, ${word}?`)];
  const result = { sky: word, degrees: 21 };
  const summary = [user(`They spoke of ${word}.`)];
  const vectors = {
    embeddings: [
      [0.5, -0.25],
      [word.length, 0],
    ],
    usage: { inputTokens: 7 },
  };
  const found = { documents: [{ id: "d1", content: `It is ${word}.`, score: 0.5, metadata: { page: word } }] };
  const kept = { records: [{ id: "m1", content: `It was ${word}.`, score: 0.5, metadata: { page: word } }] };
  return {
    agent: { request: { messages }, ...reply(word) },
    reasoning: { request: { messages, tools: [] }, ...reply(word) },
    model: { request: { messages, tools: [], model: "m", provider: "fake" }, ...reply(word) },
    tool: {
      request: { id: `call-${word}`, tool: { name: "look" }, input: { place: word } },
      final: result,
      chunks: [result],
    },
    humanInput: { request: { question: `Is it ${word}?` }, final: word, chunks: [word] },
    compressContext: { request: { messages }, final: summary, chunks: [summary] },
    embedding: {
      request: { model: "m", provider: "fake", input: [`The sky over ${word}.`, "Rain."] },
      final: vectors,
      chunks: [vectors],
    },
    retrieval: { request: { query: `the sky over ${word}`, limit: 2 }, final: found, chunks: [found] },
    memory: {
      request: { operation: "update_memory", store: "notes", records: [{ id: "m1", content: `It was ${word}.` }] },
      final: kept,
      chunks: [kept],
    },
  };
}

/** The value itself, frozen all the way down: who mutates it throws. Bytes stay as they are, since JavaScript cannot freeze them. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}
