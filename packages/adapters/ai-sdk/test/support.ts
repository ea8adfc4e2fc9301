import type { AnyInvocation, CallNext, Kind, Notification, Plugin } from "@suite/core";
import type { LanguageModelMiddleware } from "ai";

type Model = Parameters<NonNullable<LanguageModelMiddleware["wrapGenerate"]>>[0]["model"];
type Params = Parameters<Model["doGenerate"]>[0];
type Result = Awaited<ReturnType<Model["doGenerate"]>>;
type Stream = Awaited<ReturnType<Model["doStream"]>>["stream"];
export type Chunk = Stream extends ReadableStream<infer C> ? C : never;

const usage = {
  inputTokens: { total: 3, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: undefined, reasoning: undefined },
};
/** The end of an answer, for both shapes of it. */
export const ending = (unified: "stop" | "tool-calls" = "stop") => ({
  usage,
  finishReason: { unified, raw: undefined },
});

/** A text as a model streams it. */
export const textChunks = (...pieces: readonly string[]): readonly Chunk[] => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...pieces.map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
  { type: "text-end", id: "1" },
  { type: "finish", ...ending() },
];

export const textResult = (text: string): Result => ({ content: [{ type: "text", text }], ...ending(), warnings: [] });

/** A model that answers with these, one after the other, and keeps what it was asked. */
export function scripted(answers: readonly (Result | readonly Chunk[])[], name = "scripted") {
  const asked: Params[] = [];
  const next = (): Result | readonly Chunk[] => {
    const answer = answers[asked.length - 1];
    if (answer === undefined) throw new Error("The script has ended.");
    return answer;
  };
  const model: Model = {
    specificationVersion: "v3",
    provider: "test.chat",
    modelId: name,
    supportedUrls: {},
    async doGenerate(params) {
      asked.push(params);
      const answer = next();
      if ("content" in answer) return answer;
      throw new Error("This answer is a stream.");
    },
    async doStream(params) {
      asked.push(params);
      const answer = next();
      if ("content" in answer) throw new Error("This answer is whole.");
      return {
        stream: new ReadableStream({
          start(controller) {
            for (const chunk of answer) controller.enqueue(chunk);
            controller.close();
          },
        }),
      };
    },
  };
  return { model, asked };
}

const kinds: readonly Kind[] = ["agent", "reasoning", "model", "tool", "humanInput"];

/** A plugin that keeps what happens, and changes nothing. */
export function recorder() {
  const calls: string[] = [];
  const requests: AnyInvocation["request"][] = [];
  const told: Notification[] = [];
  const runIds = new Set<string>();
  const watch = async (invocation: AnyInvocation, callNext: CallNext): Promise<void> => {
    const entry = calls.push(invocation.kind) - 1;
    requests.push(invocation.request);
    runIds.add(invocation.runtime.runId);
    await callNext();
    invocation.pipe({
      settle: ({ status }: { status: string }) => {
        if (status !== "completed") calls[entry] = `${invocation.kind}:${status}`;
      },
    });
  };
  const plugin: Plugin = {
    name: "recorder",
    whereOffered: [...kinds, "observe"],
    ...Object.fromEntries(kinds.map((kind) => [kind, watch])),
    observe: (notification) => void told.push(notification),
  };
  return { plugin, calls, requests, told, runIds };
}

export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
