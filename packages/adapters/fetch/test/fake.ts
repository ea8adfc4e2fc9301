import { type CallNext, type Delta, definePlugin, type Emit, type Invocation, type Plugin } from "@suite/core";
import type { EmbeddingRequest } from "@suite/core/contract";
import { type Fetch, fetchWithPlugins } from "@suite/fetch";

export const urls = {
  chat: "https://model.example/v1/chat/completions",
  responses: "https://model.example/v1/responses",
  messages: "https://model.example/v1/messages",
} as const;

/** A request that the fake server was asked. */
export interface Asked {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A fetch that answers with these, one after the other, and remembers what it was asked. */
export function answering(...answers: readonly (Response | Error | (() => Response))[]): Fetch & { asked: Asked[] } {
  const left = [...answers];
  const asked: Asked[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    asked.push({ url: String(input), headers: new Headers(init.headers), body: String(init.body) });
    const next = left.shift();
    if (next === undefined) throw new Error("No answer is left.");
    if (next instanceof Error) throw next;
    return typeof next === "function" ? next() : next;
  };
  return Object.assign(fetch, { asked });
}

export const jsonResponse = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });

/** A response that streams these pieces. */
export function sse(...pieces: readonly (string | Uint8Array)[]): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export const eventText = (...events: readonly object[]): string =>
  events
    .map((event) => `${"type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");

export const post = (fetch: Fetch, url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });

/** Looks at everything, and changes nothing. */
export const watching: Plugin = {
  name: "watching",
  async model(invocation: Invocation<"model">, callNext: CallNext) {
    await callNext();
    invocation.pipe({ chunk: (delta: Delta, emit: Emit<Delta>) => emit(delta) });
  },
};

/** Changes each delta of the answer. */
export const changing = (change: (delta: Delta) => Delta | undefined): Plugin => ({
  name: "changing",
  async model(invocation: Invocation<"model">, callNext: CallNext) {
    await callNext();
    invocation.pipe({
      chunk(delta: Delta, emit: Emit<Delta>) {
        const changed = change(delta);
        if (changed !== undefined) emit(changed);
      },
    });
  },
});

/** Every text and every argument in capitals. */
const shouting = changing((delta) => {
  if (delta.type === "arguments") return { ...delta, json: delta.json.toUpperCase() };
  if (delta.type !== "part" || !("content" in delta.part) || delta.part.content === undefined) return delta;
  return { ...delta, part: { ...delta.part, content: delta.part.content.toUpperCase() } };
});

const asked = { model: "m", messages: [{ role: "user", content: "Hello." }], input: "Hello." };

/** The whole answer as it comes out of the plugin. */
export const whole = async (url: string, body: object, plugin: Plugin = shouting) =>
  (await post(fetchWithPlugins([plugin], answering(jsonResponse(body))), url, asked)).json();

/** The text of a stream as it comes out of the plugin. */
export const streamed = async (url: string, events: string, plugin: Plugin = shouting) =>
  (await post(fetchWithPlugins([plugin], answering(sse(events))), url, { ...asked, stream: true })).text();

/** A layer that keeps the requests for embeddings that it sees, and then changes them. */
export function embeddingLayer(change: (request: EmbeddingRequest) => EmbeddingRequest = (request) => request) {
  const seen: EmbeddingRequest[] = [];
  const plugin = definePlugin({
    name: "layer",
    async embedding(invocation, callNext) {
      seen.push(invocation.request);
      invocation.request = change(invocation.request);
      await callNext();
    },
  });
  return { plugin, seen };
}
