import { describe, expect, it, jest } from "@jest/globals";
import { Embeddings } from "@langchain/core/embeddings";
import { OpenAIEmbeddings } from "@langchain/openai";
import { definePlugin, type RuntimeContext } from "@suite/core";
import type { EmbeddingRequest } from "@suite/core/contract";
import { pii } from "@suite/pii";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { withPlugins } from "../src/index.js";
import { runsOfFinding } from "./documents-subject.js";
import { rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

const model = () =>
  new OpenAIEmbeddings({
    model: "m",
    apiKey: "none",
    maxRetries: 0,
    dimensions: 3,
    configuration: { baseURL: `${world.server.url}/v1` },
  });

const texts = [`one ${text}`, "two", `three ${text}`];
const entries = {
  embedQuery: (embeddings: OpenAIEmbeddings) => embeddings.embedQuery(texts[0] ?? ""),
  embedDocuments: (embeddings: OpenAIEmbeddings) => embeddings.embedDocuments(texts),
};

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  it.each(Object.entries(entries))("around %s", async (_, entry) => {
    const watch = watched();
    const seen = await entry(withPlugins(model(), watch.plugins));
    const { spans, records } = await watch.written();
    for (const told of [seen, world.prompts, spans, records]) expect(found(told)).toEqual([]);
    expect(world.prompts[0]).toContain("[REDACTED_EMAIL]");
    expect(spans.map(({ name }) => name)).toEqual(["embeddings m"]);
    expect(spans[0]?.attributes).toMatchObject({
      "gen_ai.operation.name": "embeddings",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m",
      "gen_ai.embeddings.dimension.count": 3,
      "server.address": "127.0.0.1",
    });
    expect(records.some((record) => record.includes('"embedding"'))).toBe(true);
  });

  it("without pii they are found, so that the search is one", async () => {
    await entries.embedDocuments(model());
    expect(found(world.prompts)).toHaveLength(10);
  });
});

/** Gives each text its length, and keeps what it was asked. */
class Lengths extends Embeddings<number[]> {
  readonly asked: unknown[][] = [];
  readonly #scale = 1;
  model = "lengths";
  constructor() {
    super({});
  }
  async embedQuery(given: string, ...more: unknown[]) {
    this.asked.push([given, ...more]);
    return [given.length * this.#scale];
  }
  async embedDocuments(given: string[], ...more: unknown[]) {
    this.asked.push([given, ...more]);
    return given.map(({ length }) => [length * this.#scale]);
  }
  /** A method that LangChain does not have, made of one that it has. */
  embedAll(...given: string[]) {
    return Promise.all(given.map((one) => this.embedQuery(one)));
  }
  get scale() {
    return this.#scale;
  }
}

function layer(change: (request: EmbeddingRequest) => EmbeddingRequest = (request) => request) {
  const seen: { readonly request: EmbeddingRequest; readonly runtime: RuntimeContext }[] = [];
  const plugin = definePlugin({
    name: "layer",
    async embedding(invocation, callNext) {
      const { request, runtime } = invocation;
      seen.push({ request, runtime });
      invocation.request = change(request);
      await callNext();
    },
  });
  return { plugin, seen };
}

const shout = (request: EmbeddingRequest): EmbeddingRequest => ({
  ...request,
  input: request.input.map((one) => `${one}!`),
});

describe("a layer of embeddings", () => {
  it("changes the texts that the model gets, and neither their number nor their order", async () => {
    const { plugin, seen } = layer(shout);
    const lengths = new Lengths();
    const wrapped = withPlugins(lengths, [plugin]);
    expect(await wrapped.embedDocuments(["a", "bb"])).toEqual([[2], [3]]);
    expect(await wrapped.embedQuery("ccc")).toEqual([4]);
    expect(lengths.asked).toEqual([[["a!", "bb!"]], ["ccc!"]]);
    expect(seen.map(({ request }) => request)).toEqual([
      { model: "lengths", input: ["a", "bb"] },
      { model: "lengths", input: ["ccc"] },
    ]);
  });

  it("is round what other methods of the class are made of", async () => {
    const { plugin, seen } = layer(shout);
    expect(await withPlugins(new Lengths(), [plugin]).embedAll("a", "bb")).toEqual([[2], [3]]);
    expect(seen).toHaveLength(2);
  });

  it("may answer in the model's place, and change an answer", async () => {
    const lengths = new Lengths();
    const cache = definePlugin({
      name: "cache",
      embedding: async (invocation) => invocation.respond({ value: { embeddings: [[9]] } }),
    });
    expect(await withPlugins(lengths, [cache]).embedQuery("a")).toEqual([9]);
    expect(lengths.asked).toEqual([]);
    const negative = definePlugin({
      name: "negative",
      async embedding(invocation, callNext) {
        await callNext();
        invocation.pipe({
          chunk: (value, emit) =>
            emit({ ...value, embeddings: value.embeddings.map((each) => (each as number[]).map((n) => -n)) }),
        });
      },
    });
    expect(await withPlugins(lengths, [negative]).embedDocuments(["a"])).toEqual([[-1]]);
  });

  it("must keep the number of the texts, and of the embeddings", async () => {
    const lengths = new Lengths();
    const fewer = layer((request) => ({ ...request, input: [] })).plugin;
    const none = definePlugin({
      name: "none",
      embedding: async (invocation) => invocation.respond({ value: { embeddings: [] } }),
    });
    for (const plugin of [fewer, none]) {
      expect(await rejection(withPlugins(lengths, [plugin]).embedQuery("a"))).toMatchObject({
        code: "ERR_LANGCHAIN_EMBEDDING_COUNT",
      });
    }
    expect(lengths.asked).toEqual([]);
  });

  it("is in the run of the agent in whose tool it is, where that has the same plugins", async () => {
    const { plugin, seen } = layer();
    const begun = await runsOfFinding(world, [plugin], (plugins) => {
      const embeddings = withPlugins(new Lengths(), plugins);
      return async (of) => JSON.stringify(await embeddings.embedQuery(of));
    });
    expect(begun).toHaveLength(1);
    expect(seen.map(({ runtime }) => runtime)).toEqual(begun);
  });

  it("does not run twice where plugins are attached again", async () => {
    const { plugin, seen } = layer(shout);
    const lengths = new Lengths();
    await withPlugins(withPlugins(lengths, [plugin]), [plugin]).embedQuery("a");
    expect([lengths.asked, seen.length]).toEqual([[["a!"]], 1]);
  });
});

describe("embeddings with layers that change nothing are those without", () => {
  it("an instance of their class, with all that they have and are set to, their private fields too", async () => {
    const lengths = new Lengths();
    const wrapped = withPlugins(lengths, [layer().plugin]);
    expect([wrapped instanceof Lengths, wrapped.scale, Object.keys(wrapped)]).toEqual([true, 1, Object.keys(lengths)]);
    wrapped.model = "other";
    expect(lengths.model).toBe("other");
  });

  it("give the very vectors, and hand on whatever else they are given", async () => {
    const lengths = new Lengths();
    const vectors = [[1], [2]];
    jest.spyOn(lengths, "embedDocuments").mockResolvedValue(vectors);
    const wrapped = withPlugins(lengths, [layer().plugin]);
    expect(await wrapped.embedDocuments(["a", "b"])).toBe(vectors);
    await wrapped.embedQuery("a", { type: "query" });
    expect(lengths.asked).toEqual([["a", { type: "query" }]]);
  });

  it("fail with the very error", async () => {
    const error = new Error("busy");
    const lengths = new Lengths();
    jest.spyOn(lengths, "embedQuery").mockRejectedValue(error);
    expect(await rejection(withPlugins(lengths, [layer().plugin]).embedQuery("a"))).toBe(error);
  });

  it("keep their own methods where no plugin has a layer for them", () => {
    const wrapped = withPlugins(new Lengths(), [{ name: "observes", observe() {} }]);
    expect(wrapped.embedQuery).toBe(Lengths.prototype.embedQuery);
  });
});

it("plugins that would do nothing there are refused, and so is what they cannot be attached to", () => {
  const refused = expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" });
  const elsewhere = pii({ email: "redact" }, { apply: { input: false, output: true } });
  expect(() => withPlugins(new Lengths(), [elsewhere])).toThrow(refused);
  expect(() => withPlugins(new Lengths(), [pii({ email: "redact" }, { apply: { output: true } })])).not.toThrow();
  const store = { similaritySearch() {}, invoke() {} };
  for (const plugins of [[], [layer().plugin]]) {
    expect(() => withPlugins(store as never, plugins)).toThrow(
      expect.objectContaining({ code: "ERR_LANGCHAIN_TARGET" }),
    );
  }
});
