import { createOpenAI } from "@ai-sdk/openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { pluginEmbeddingMiddleware, withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin, type RuntimeContext } from "@suite/core";
import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import { pii } from "@suite/pii";
import { type ModelServer, startModelServer } from "@suite/testkit";
import * as ai from "ai";
import { promisesOf } from "../../../../integration-tests/promises.js";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { scripted, textResult } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const openai = () => createOpenAI({ apiKey: "none", baseURL: `${server.url}/v1` });
const model = () => openai().embedding("m");
const inputs = (): unknown[] => server.requests.map(({ body }) => (body as { input: unknown }).input);

type Ai = Pick<typeof ai, "embed" | "embedMany">;
const values = [`one ${text}`, "two", `three ${text}`];

/** Each way to an embedding, and all that the user is given. */
const entries: Readonly<Record<string, (wrapped: Ai) => Promise<unknown>>> = {
  async embed({ embed }) {
    const { embedding, usage, response } = await embed({ model: model(), value: values[0] ?? "", maxRetries: 0 });
    return { embedding, usage, response };
  },
  async embedMany({ embedMany }) {
    const { embeddings, usage, responses } = await embedMany({ model: model(), values, maxRetries: 0 });
    return { embeddings, usage, responses };
  },
};

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  it.each(Object.entries(entries))("around %s", async (_, entry) => {
    const watch = watched();
    const seen = await entry(withPlugins(ai, watch.plugins));
    const { spans, records } = await watch.written();
    expect(found(seen)).toEqual([]);
    expect(found(inputs())).toEqual([]);
    expect(found(spans)).toEqual([]);
    expect(found(records)).toEqual([]);
    expect(JSON.stringify(inputs())).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name)).toEqual(["embeddings m"]);
    expect(spans[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "embeddings",
      "gen_ai.provider.name": "openai",
      "gen_ai.response.model": "m",
      "gen_ai.usage.input_tokens": expect.any(Number),
    });
    expect(records.length).toBeGreaterThan(1);
  });

  it("around a model with the plugins as its middleware", async () => {
    const watch = watched();
    const guarded = ai.wrapEmbeddingModel({ model: model(), middleware: pluginEmbeddingMiddleware(watch.plugins) });
    await ai.embedMany({ model: guarded, values, maxRetries: 0 });
    const { spans, records } = await watch.written();
    for (const told of [inputs(), spans, records]) expect(found(told)).toEqual([]);
    expect(spans.map(({ name }) => name)).toEqual(["embeddings m"]);
  });

  it("without pii they are found, so that the search is one", async () => {
    await entries.embedMany?.(ai);
    expect(found(inputs())).toHaveLength(10);
  });
});

type Model = Parameters<typeof ai.wrapEmbeddingModel>[0]["model"];
type Params = Parameters<Model["doEmbed"]>[0];

/** A model that answers each text with its length, and keeps what it was asked. */
function lengths(more: Partial<Model> = {}) {
  const asked: Params[] = [];
  const answer = {
    usage: { tokens: 7 },
    warnings: [{ type: "other" as const, message: "write to jane@x.com" }],
    providerMetadata: { test: { note: "of jane@x.com" } },
    response: { headers: { a: "b" }, body: { model: "lengths-1" } },
  };
  const own: Model = {
    specificationVersion: "v3",
    provider: "test.embedding",
    modelId: "lengths",
    maxEmbeddingsPerCall: 2,
    supportsParallelCalls: true,
    async doEmbed(params) {
      asked.push(params);
      return { embeddings: params.values.map(({ length }) => [length]), ...answer };
    },
    ...more,
  };
  return { model: own, asked, answer };
}

interface Seen {
  readonly request: EmbeddingRequest;
  readonly runtime: RuntimeContext;
}

/** A layer that keeps what it sees, after it has changed that. */
function layer(change: (request: EmbeddingRequest) => EmbeddingRequest = (request) => request) {
  const seen: Seen[] = [];
  const plugin = definePlugin({
    name: "layer",
    async embedding(invocation, callNext) {
      seen.push({ request: invocation.request, runtime: invocation.runtime });
      invocation.request = change(invocation.request);
      await callNext();
    },
  });
  return { plugin, seen };
}

const shout = (request: EmbeddingRequest): EmbeddingRequest => ({
  ...request,
  input: request.input.map((item) => `${item}!`),
});

describe("a layer of embeddings", () => {
  it("changes the texts that the model gets, and neither their number nor their order", async () => {
    const { model, asked } = lengths();
    const { plugin, seen } = layer(shout);
    const result = await withPlugins(ai, [plugin]).embedMany({ model, values: ["a", "bb", "ccc"] });
    expect(asked.map(({ values }) => values)).toEqual([["a!", "bb!"], ["ccc!"]]);
    expect(result.embeddings).toEqual([[2], [3], [4]]);
    expect(result.values).toEqual(["a", "bb", "ccc"]);
    expect(seen.map(({ request }) => request)).toEqual([
      { model: "lengths", provider: "test", input: ["a", "bb"] },
      { model: "lengths", provider: "test", input: ["ccc"] },
    ]);
  });

  it("sees all requests of one call in one run", async () => {
    const { plugin, seen } = layer();
    await withPlugins(ai, [plugin]).embedMany({ model: lengths().model, values: ["a", "bb", "ccc"] });
    expect(new Set(seen.map(({ runtime }) => runtime)).size).toBe(1);
  });

  it("sees those that a tool makes in the run of the tool", async () => {
    const { plugin, seen } = layer();
    const runs: RuntimeContext[] = [];
    const begins: Plugin = { name: "begins", begin: (runtime) => void runs.push(runtime) };
    const { generateText, embed } = withPlugins(ai, [plugin, begins]);
    const call = { type: "tool-call" as const, toolCallId: "c", toolName: "find", input: "{}" };
    const usage = textResult("");
    const { model } = scripted([
      { ...usage, content: [call], finishReason: { unified: "tool-calls", raw: undefined } },
      textResult("done"),
    ]);
    const find = ai.tool({
      inputSchema: ai.jsonSchema({ type: "object" }),
      execute: async () => (await embed({ model: lengths().model, value: "a" })).embedding,
    });
    await generateText({ model: model as never, prompt: "Find.", tools: { find }, stopWhen: ai.stepCountIs(3) });
    expect(runs).toHaveLength(1);
    expect(seen.map(({ runtime }) => runtime)).toEqual(runs);
  });

  it("is told the dimensions, and may ask for others", async () => {
    const { model, asked } = lengths();
    const { plugin, seen } = layer((request) => ({ ...request, dimensions: 2 }));
    const providerOptions = { test: { dimensions: 512, user: "u" } };
    await withPlugins(ai, [plugin]).embed({ model, value: "a", providerOptions });
    expect(seen[0]?.request.dimensions).toBe(512);
    expect(asked[0]?.providerOptions).toEqual({ test: { dimensions: 2, user: "u" } });
  });

  it("may answer in the model's place, and change an answer, whose body is left out then", async () => {
    const { model, asked } = lengths();
    const cache = definePlugin({
      name: "cache",
      embedding: async (invocation) => invocation.respond({ value: { embeddings: [[9]] } }),
    });
    expect((await withPlugins(ai, [cache]).embed({ model, value: "a" })).embedding).toEqual([9]);
    expect(asked).toEqual([]);
    const negative = definePlugin({
      name: "negative",
      async embedding(invocation, callNext) {
        await callNext();
        invocation.pipe({
          chunk: (value: EmbeddingResult, emit) =>
            emit({ ...value, embeddings: value.embeddings.map((each) => (each as number[]).map((n) => -n)) }),
        });
      },
    });
    const { embedding, response, usage } = await withPlugins(ai, [negative]).embed({ model, value: "a" });
    expect([embedding, response, usage]).toEqual([[-1], { headers: { a: "b" } }, { tokens: 7 }]);
  });

  it("must keep the number of the texts, and of the embeddings", async () => {
    const { model, asked } = lengths();
    const { plugin } = layer((request) => ({ ...request, input: request.input.slice(1) }));
    const refused = expect.objectContaining({ code: "ERR_AI_SDK_UNSUPPORTED" });
    await expect(withPlugins(ai, [plugin]).embed({ model, value: "a" })).rejects.toEqual(refused);
    expect(asked).toEqual([]);
    const none = definePlugin({
      name: "none",
      embedding: async (invocation) => invocation.respond({ value: { embeddings: [] } }),
    });
    await expect(withPlugins(ai, [none]).embed({ model, value: "a" })).rejects.toEqual(refused);
  });

  it("receives each attempt of the framework, and its original error", async () => {
    const error = new ai.APICallError({ message: "busy", url: "u", requestBodyValues: {}, isRetryable: true });
    const fails = lengths({ doEmbed: () => Promise.reject(error) });
    const { plugin, seen } = layer();
    const { embed } = withPlugins(ai, [plugin]);
    await expect(embed({ model: fails.model, value: "a", maxRetries: 0 })).rejects.toBe(error);
    await expect(embed({ model: fails.model, value: "a", maxRetries: 1 })).rejects.toThrow("busy");
    expect(seen).toHaveLength(3);
  });

  it("does not run again where the model has it as a middleware", async () => {
    const { plugin, seen } = layer(shout);
    const { model, asked } = lengths();
    const wrapped = ai.wrapEmbeddingModel({ model, middleware: pluginEmbeddingMiddleware([plugin]) });
    await withPlugins(ai, [plugin]).embed({ model: wrapped, value: "a" });
    expect(asked[0]?.values).toEqual(["a!"]);
    expect(seen).toHaveLength(1);
  });
});

describe("embeddings with layers that change nothing are those without", () => {
  it("what the model gets and what the user gets are the same", async () => {
    const told = async (wrapped: Ai) => {
      const { model, asked } = lengths();
      const headers = { x: "y" };
      const { signal } = new AbortController();
      const many = await wrapped.embedMany({ model, values: ["a", "bb", "ccc"], headers, abortSignal: signal });
      expect(asked.map(({ abortSignal }) => abortSignal)).toEqual([signal, signal]);
      return { asked: asked.map(({ abortSignal: _, ...rest }) => rest), many };
    };
    expect(await told(withPlugins(ai, [layer().plugin]))).toEqual(await told(ai));
  });

  it("a model keeps all that it has, its private fields too", async () => {
    const hidden = Symbol.for("hidden");
    class Private {
      readonly specificationVersion = "v3";
      readonly modelId = "private";
      readonly supportsParallelCalls = true;
      readonly #provider = "test.embedding";
      readonly [hidden] = "kept";
      get provider() {
        return this.#provider;
      }
      get maxEmbeddingsPerCall() {
        return this.#provider.length;
      }
      async doEmbed({ values }: Params) {
        return { embeddings: values.map(() => [this.#provider.length]), warnings: [] };
      }
    }
    const { embedMany } = withPlugins({ ...ai, embedMany: seesModel(hidden) } as typeof ai, [layer().plugin]);
    const { embeddings } = await embedMany({ model: Object.freeze(new Private()), values: ["a"] });
    expect(embeddings).toEqual([[14]]);
  });

  it("an abort ends as the model ends it", async () => {
    const control = new AbortController();
    const late = lengths({
      async doEmbed({ values, abortSignal }) {
        control.abort();
        expect(abortSignal?.aborted).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { embeddings: values.map(() => [1]), warnings: [] };
      },
    });
    const { embed } = withPlugins(ai, [layer().plugin]);
    const asked = { model: late.model, value: "a", abortSignal: control.signal };
    expect((await embed(asked)).embedding).toEqual([1]);
  });

  it("where no plugin has the hook, the functions are the framework's own", async () => {
    const wrapped = withPlugins(ai, [definePlugin({ name: "model", model: (_, next) => next(), observe() {} })]);
    expect(wrapped.embed).toBe(ai.embed);
    expect(wrapped.embedMany).toBe(ai.embedMany);
    const plain = await promisesOf(() => ai.embed({ model: lengths().model, value: "a" }));
    expect(await promisesOf(() => wrapped.embed({ model: lengths().model, value: "a" }))).toBe(plain);
  });
});

const seesModel =
  (hidden: symbol): typeof ai.embedMany =>
  (settings) => {
    expect((settings.model as unknown as Record<symbol, unknown>)[hidden]).toBe("kept");
    return ai.embedMany(settings);
  };

describe("what is said beside embeddings", () => {
  it("is told after the redactor", async () => {
    const guard = pii({ email: "redact" });
    const { warnings, providerMetadata } = await withPlugins(ai, [guard]).embed({ model: lengths().model, value: "a" });
    expect(JSON.stringify({ warnings, providerMetadata })).not.toContain("jane@x.com");
    expect(providerMetadata).toEqual({ test: { note: "of [REDACTED_EMAIL]" } });
  });
});

describe("a middleware of an embedding model", () => {
  it("takes the guard that has more hooks, and refuses the one that would guard nothing", () => {
    expect(() => pluginEmbeddingMiddleware([pii({ email: "redact" }, { apply: { output: true } })])).not.toThrow();
    const refused = expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" });
    const none = pii({ email: "redact" }, { apply: { input: false, output: true } });
    expect(() => pluginEmbeddingMiddleware([none])).toThrow(refused);
  });
});
