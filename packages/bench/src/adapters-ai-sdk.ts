import { withPlugins } from "@suite/ai-sdk";
import * as ai from "ai";
import { adapterGroup, answer, type Framework, type Measured, question, words } from "./adapters.js";

type Model = Parameters<NonNullable<ai.LanguageModelMiddleware["wrapGenerate"]>>[0]["model"];
type Settings = Pick<Parameters<typeof ai.generateText>[0], "experimental_telemetry">;

const finish = {
  finishReason: { unified: "stop", raw: "stop" },
  usage: {
    inputTokens: { total: 12, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 6, text: undefined, reasoning: undefined },
  },
} as const;
type Chunk = Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer C> ? C : never;

const chunks: readonly Chunk[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...words.map((delta): Chunk => ({ type: "text-delta", id: "1", delta })),
  { type: "text-end", id: "1" },
  { type: "finish", ...finish },
];

const model: Model = {
  specificationVersion: "v3",
  provider: "bench.chat",
  modelId: "scripted",
  supportedUrls: {},
  doGenerate: async () => ({ content: [{ type: "text", text: answer }], ...finish, warnings: [] }),
  doStream: async () => ({
    stream: new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  }),
};

const measured = (
  { generateText, streamText }: Pick<typeof ai, "generateText" | "streamText">,
  settings: Settings = {},
): Measured => ({
  call: async () => (await generateText({ model, prompt: question, ...settings })).text,
  stream: () => streamText({ model, prompt: question, ...settings }).textStream,
});

export const aiSdk: Framework = {
  name: "ai-sdk",
  about: "`generateText` and `streamText` of the AI SDK, one step; its own telemetry is `experimental_telemetry`.",
  bare: () => measured(ai),
  withPlugins: (plugins) => measured(withPlugins(ai, plugins)),
  withFrameworkTelemetry: (provider) =>
    measured(ai, { experimental_telemetry: { isEnabled: true, tracer: provider.getTracer("ai") } }),
};

export const adaptersAiSdk = adapterGroup(aiSdk);
