import type { Delta, Final, Kind, Message, Reply, Request } from "@suite/core";
import type { Chunk } from "@suite/core/contract";

/** One harmless call of a kind: its request, its final value, and the chunks that add up to it. */
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

/** Returns a sample of each kind. The word in it distinguishes two runs, and may be a hostile string. */
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
  const memoryResult = { records: [{ id: "m1", content: `It was ${word}.`, score: 0.5, metadata: { page: word } }] };
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
      final: memoryResult,
      chunks: [memoryResult],
    },
  };
}

/** A tool call with the value as its arguments. */
export const toolCall = (value: unknown) => ({ type: "tool_call", id: "c", name: "look", arguments: value });

/** A call with a hostile value in every place that can contain one of its kind. It deliberately violates the types. */
export interface HostileCall {
  readonly request: unknown;
  readonly final: unknown;
  /** True if the answer is streamed as deltas, not as one chunk. */
  readonly deltas?: true;
}

/** Returns a call of each kind with the value. */
export function callsWith(value: unknown): Readonly<Record<Kind, HostileCall>> {
  const text = textOf(value);
  const samples = samplesOf(text);
  const native = { type: "native", value };
  const messages = [
    { role: "user", parts: [{ type: "text", content: text }, native] },
    { role: "assistant", parts: [toolCall(value)] },
    { role: "tool", parts: [{ type: "tool_call_response", id: "c", response: value }] },
  ];
  const reply = { role: "assistant", parts: [{ type: "text", content: text }, toolCall(value), native] };
  const streamed = (kind: "agent" | "reasoning" | "model"): HostileCall => ({
    request: { ...samples[kind].request, messages },
    final: { message: reply },
    deltas: true,
  });
  const document = { content: value, metadata: value };
  return {
    agent: streamed("agent"),
    reasoning: streamed("reasoning"),
    model: streamed("model"),
    tool: { request: { ...samples.tool.request, input: value }, final: value },
    humanInput: { request: { question: text, about: toolCall(value) }, final: value },
    compressContext: { request: { messages }, final: [reply] },
    embedding: { request: { model: "m", input: [text, value] }, final: { embeddings: [[0.5], value] } },
    retrieval: { request: { query: text }, final: { documents: [{ content: text }, document] } },
    memory: {
      request: { operation: "upsert_memory", query: text, ids: [text], records: [document] },
      final: { records: [{ content: text }, document], count: 2 },
    },
  };
}

/** Returns the value if it is a string, otherwise a harmless string. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "Look.");

/** Freezes a value deeply, so that mutating it throws. Bytes are not frozen, since JavaScript cannot freeze them. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}
