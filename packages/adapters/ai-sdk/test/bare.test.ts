import { describe, expect, it } from "@jest/globals";
import { pluginMiddleware, withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import * as ai from "ai";
import { type Chunk, ending, scripted, textChunks } from "./support.js";

/** Plugins that change nothing. */
const layer = async (_: unknown, callNext: () => Promise<void>): Promise<void> => callNext();
const piped = async (invocation: { pipe(stage: object): void }, callNext: () => Promise<void>): Promise<void> => {
  await callNext();
  invocation.pipe({ chunk: (chunk: unknown, emit: (chunk: unknown) => void) => emit(chunk) });
};
const every = (each: typeof piped | typeof layer): Plugin =>
  ({ name: "idle", agent: each, reasoning: each, model: each, tool: each }) as unknown as Plugin;
const ways: Readonly<Record<string, readonly Plugin[]>> = {
  observe: [definePlugin({ name: "watch", observe() {}, begin() {}, end() {} })],
  idle: [every(layer)],
  stage: [every(piped)],
  model: [definePlugin({ name: "model", model: layer })],
  agent: [definePlugin({ name: "agent", agent: layer })],
};

/** A model whose stream does as it is told: chunks, an error that breaks it, a wait for the abort. */
type Script = readonly (Chunk | { readonly breaks: Error } | "abort")[];

function modelOf(scripts: readonly Script[], prompts: unknown[], aborts: () => void) {
  let asked = 0;
  const { model } = scripted([]);
  return {
    ...model,
    async doStream({ abortSignal, prompt }: { abortSignal?: AbortSignal; prompt: unknown }) {
      prompts.push(prompt);
      const script = scripts[asked++] ?? [];
      async function* chunks(): AsyncGenerator<Chunk> {
        for (const each of script) {
          if (each === "abort") {
            setTimeout(aborts);
            await new Promise((_, reject) => {
              const abort = () => reject(abortSignal?.reason);
              if (abortSignal?.aborted === true) abort();
              else abortSignal?.addEventListener("abort", abort);
            });
          } else if ("breaks" in each) throw each.breaks;
          else {
            // Major 7 tells of an error by a way of its own, which overtakes what is under way.
            if (each.type === "error") await new Promise((resolve) => setTimeout(resolve, 5));
            yield each;
          }
        }
      }
      const source = chunks();
      const stream = new ReadableStream<Chunk>({
        async pull(controller) {
          const { done, value } = await source.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      return { stream };
    },
  };
}

const finish = { type: "finish" as const, ...ending() };
const [begin, ...said] = textChunks("half an ", "answer").slice(0, -2);
const text: Script = [begin as Chunk, ...said];
const call: Script = [
  { type: "tool-input-start", id: "c", toolName: "look" },
  { type: "tool-input-delta", id: "c", delta: '{"at":1}' },
  { type: "tool-input-end", id: "c" },
  { type: "tool-call", toolCallId: "c", toolName: "look", input: '{"at":1}' },
];
const reasoning = (id: string): Script => [
  { type: "reasoning-start", id, providerMetadata: { openai: { itemId: id, reasoningEncryptedContent: null } } },
  { type: "reasoning-end", id, providerMetadata: { openai: { itemId: id, reasoningEncryptedContent: null } } },
];
const failure = new Error("socket hang up");

const situations: Readonly<Record<string, readonly Script[]>> = {
  "an answer": [[...text, { type: "text-end", id: "1" }, finish]],
  "reasoning without text, then a call": [
    [...reasoning("rs_1"), ...call, { type: "finish", ...ending("tool-calls") }],
    [...text, { type: "text-end", id: "1" }, finish],
  ],
  "two reasonings open at once": [
    [
      { type: "reasoning-start", id: "a" },
      { type: "reasoning-start", id: "b" },
      { type: "reasoning-delta", id: "a", delta: "a1" },
      { type: "reasoning-delta", id: "b", delta: "b1" },
      { type: "reasoning-delta", id: "a", delta: "a2" },
      { type: "reasoning-end", id: "b", providerMetadata: { anthropic: { signature: "of b" } } },
      { type: "reasoning-end", id: "a", providerMetadata: { anthropic: { signature: "of a" } } },
      ...text,
      { type: "text-end", id: "1" },
      finish,
    ],
  ],
  "text behind a call": [
    [...call, ...text, { type: "text-end", id: "1" }, { type: "finish", ...ending("tool-calls") }],
    [...text, { type: "text-end", id: "1" }, finish],
  ],
  "a stream without finish": [text],
  "a stream without finish that said nothing": [[begin as Chunk]],
  "a stream without finish amid a call": [[...text, ...call.slice(0, 2)]],
  "nothing at all": [[]],
  "a stream that breaks": [[...text, { breaks: failure }]],
  "a stream that breaks at once": [[{ breaks: failure }]],
  "an error amid a text": [[...text, { type: "error", error: failure }, ...said.slice(1), finish]],
  "an error at once": [[begin as Chunk, { type: "error", error: failure }, finish]],
  "an error and no end": [[...text, { type: "error", error: failure }]],
  "an abort amid a text": [[...text, "abort"]],
  "an abort before the first chunk": [["abort"]],
  "an abort in the second step": [
    [...call, { type: "finish", ...ending("tool-calls") }],
    [...text, "abort"],
  ],
};

/** A streamed answer, with all that can be seen of it. */
async function seen(
  streamText: typeof ai.streamText,
  scripts: readonly Script[],
  reason: unknown,
  middleware?: Plugin[],
) {
  const controller = new AbortController();
  const prompts: unknown[] = [];
  const model = modelOf(scripts, prompts, () => controller.abort(reason));
  const wrapped =
    middleware === undefined
      ? model
      : ai.wrapLanguageModel({ model, middleware: pluginMiddleware(middleware as never) });
  const events: unknown[] = [];
  const run = () =>
    streamText({
      model: wrapped as never,
      prompt: "x",
      maxRetries: 0,
      abortSignal: controller.signal,
      stopWhen: ai.stepCountIs(3),
      tools: { look: ai.tool({ inputSchema: ai.jsonSchema({ type: "object" }), execute: () => "seen" }) },
      onError: ({ error }) => void events.push(["onError", String(error)]),
      onAbort: () => void events.push(["onAbort"]),
      onFinish: ({ finishReason }) => void events.push(["onFinish", finishReason]),
      onChunk: ({ chunk }) => void events.push(["onChunk", chunk.type]),
    });
  const result = run();
  const parts: unknown[] = [];
  try {
    for await (const part of result.fullStream) parts.push(part);
  } catch (error) {
    parts.push(`threw ${error}`);
  }
  const promises = ["text", "finishReason", "steps", "content", "reasoning", "totalUsage"] as const;
  const settled = await Promise.allSettled(promises.map((name) => result[name]));
  return JSON.parse(
    JSON.stringify(
      {
        parts,
        prompts,
        events,
        settled: settled.map((each) => ({ ...each, reason: String((each as never as { reason: unknown }).reason) })),
      },
      withoutNoise,
    ),
  );
}

/** The value without times and made up ids, which differ from run to run. */
const withoutNoise = (key: string, value: unknown): unknown => {
  if (["timestamp", "id", "callId", "performance", "stack", "response"].includes(key)) return undefined;
  return value instanceof Error ? `${value}` : value;
};

const block = (id: string, ...pieces: readonly string[]): readonly Chunk[] => [
  { type: "text-start", id },
  ...pieces.map((delta) => ({ type: "text-delta" as const, id, delta })),
  { type: "text-end", id },
];
const meeting = [
  block("1", "The meeting is ", "on Monday"),
  block("2", " at ten, ", "in room"),
  block("3", " seven, says the page."),
].flat();

it("the README's guard returns several texts, reasoning and calls unchanged", async () => {
  const scripts: readonly Script[] = [
    [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "I should look" },
      { type: "reasoning-end", id: "r" },
      ...block("0", "Let me look ", "that up"),
      ...call,
      { type: "finish", ...ending("tool-calls") },
    ],
    [...meeting, finish],
  ];
  const whole = async (streamText: typeof ai.streamText) => {
    const { parts, prompts, settled } = await seen(streamText, scripts, undefined);
    const frame = parts.filter(({ type }: { type: string }) => !type.endsWith("-delta"));
    const text = parts.map(({ type, text }: { type: string; text?: string }) => (type === "text-delta" ? text : ""));
    return { frame, text: text.join(""), prompts, settled };
  };
  const apply = { output: true, toolArguments: true, toolResults: true };
  const { streamText } = withPlugins(ai, [pii({ email: "redact" }, { apply })]);
  const guarded = await whole(streamText);
  expect(guarded).toEqual(await whole(ai.streamText));
  expect(guarded.text).toContain("The meeting is on Monday at ten, in room seven, says the page.");
});

describe("a streamed answer is what it is without plugins that change nothing", () => {
  const reasons = { default: undefined, own: new Error("own reason") };
  for (const [situation, scripts] of Object.entries(situations)) {
    for (const [kind, reason] of Object.entries(situation.includes("abort") ? reasons : { "": undefined })) {
      it(`${situation} ${kind}`, async () => {
        const bare = await seen(ai.streamText, scripts, reason);
        for (const [way, plugins] of Object.entries(ways)) {
          const { streamText } = withPlugins(ai, plugins);
          expect({ way, ...(await seen(streamText, scripts, reason)) }).toEqual({ way, ...bare });
        }
        const middle = [definePlugin({ name: "model", model: layer })];
        expect(await seen(ai.streamText, scripts, reason, middle)).toEqual(bare);
      });
    }
  }
});
