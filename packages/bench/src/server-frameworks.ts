import Anthropic, { type ClientOptions } from "@anthropic-ai/sdk";
import type { TracerProvider } from "@opentelemetry/api";
import { withPlugins as withAiSdkPlugins } from "@suite/ai-sdk";
import type { Plugin } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import * as ai from "ai";
import { question } from "./adapters.js";
import { paced, WORD } from "./server-load.js";

type Answers = () => AsyncIterable<string>;

/** A framework with a slow model, in each observed variant. */
interface Paced {
  bare(): Answers;
  withFrameworkTelemetry(tracerProvider: TracerProvider): Answers;
  withPlugins(plugins: readonly Plugin[]): Answers;
}

const usage = { input_tokens: 12, output_tokens: 6 };
const message = { id: "msg_1", type: "message", role: "assistant", model: "scripted", usage, content: [] };
const utf8 = new TextEncoder();
const event = (data: { readonly type: string; readonly [key: string]: unknown }): Uint8Array =>
  utf8.encode(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
const opening = [
  event({ type: "message_start", message: { ...message, stop_reason: null } }),
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
];
const word = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: WORD } });
const closing = [
  event({ type: "content_block_stop", index: 0 }),
  event({ type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage }),
  event({ type: "message_stop" }),
];

const client = (openTelemetry: ClientOptions["openTelemetry"] = false): Anthropic => {
  const headers = { "content-type": "text/event-stream" };
  const fetch = async (): Promise<Response> => new Response(paced(opening, word, closing), { headers });
  return new Anthropic({ apiKey: "none", fetch, openTelemetry });
};

const request = { model: "scripted", max_tokens: 1000, messages: [{ role: "user" as const, content: question }] };

const texts = ({ messages }: Anthropic): Answers =>
  async function* () {
    for await (const each of await messages.create({ ...request, stream: true })) {
      if (each.type === "content_block_delta" && each.delta.type === "text_delta") yield each.delta.text;
    }
  };

type Model = Parameters<NonNullable<ai.LanguageModelMiddleware["wrapGenerate"]>>[0]["model"];
type Chunk = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer C> ? C : never;

const finish: Chunk = {
  type: "finish",
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 12, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 6, text: undefined, reasoning: undefined },
  },
};
const model: Model = {
  specificationVersion: "v3",
  provider: "bench.chat",
  modelId: "scripted",
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error("This model only streams.")),
  doStream: async () => ({
    stream: paced<Chunk>(
      [
        { type: "stream-start", warnings: [] },
        { type: "text-start", id: "1" },
      ],
      { type: "text-delta", id: "1", delta: WORD },
      [{ type: "text-end", id: "1" }, finish],
    ),
  }),
};

type Telemetry = Pick<Parameters<typeof ai.streamText>[0], "experimental_telemetry">;

const textStream =
  ({ streamText }: Pick<typeof ai, "streamText">, telemetry: Telemetry = {}): Answers =>
  () =>
    streamText({ model, prompt: question, ...telemetry }).textStream;

/** The frameworks that the server bench knows, by the names of their adapters. */
export const frameworks: Readonly<Record<string, Paced>> = {
  fetch: {
    bare: () => texts(client()),
    withFrameworkTelemetry: (tracerProvider) => texts(client({ tracerProvider, traces: { contentMode: "content" } })),
    withPlugins: (plugins) => texts(withPlugins(client(), plugins)),
  },
  "ai-sdk": {
    bare: () => textStream(ai),
    withFrameworkTelemetry: (provider) =>
      textStream(ai, { experimental_telemetry: { isEnabled: true, tracer: provider.getTracer("ai") } }),
    withPlugins: (plugins) => textStream(withAiSdkPlugins(ai, plugins)),
  },
};
