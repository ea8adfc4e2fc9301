import { describe, expect, it, jest } from "@jest/globals";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";
import { RunnableLambda } from "@langchain/core/runnables";
import { FakeEmbeddings, FakeVectorStore } from "@langchain/core/utils/testing";
import { definePlugin, type RuntimeContext } from "@suite/core";
import type { RetrievalRequest, RetrievalResult } from "@suite/core/contract";
import { pii } from "@suite/pii";
import * as langchain from "langchain";
import { z } from "zod";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { withPlugins } from "../src/index.js";
import { runsOfFinding } from "./documents-subject.js";
import { asks, collect, rejection, useServer } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const world = useServer();

const apply = { output: true, toolArguments: true, toolResults: true, retrieval: true, errors: true };

/** Finds these documents, and keeps what it was asked for. */
class Shelf extends BaseRetriever {
  lc_namespace = ["test"];
  readonly asked: unknown[] = [];
  readonly #documents: Document[];
  k = 2;
  constructor(documents: Document[] = [new Document({ pageContent: "a" }), new Document({ pageContent: "b" })]) {
    super({ tags: ["shelf"] });
    this.#documents = documents;
  }
  override async _getRelevantDocuments(query: string) {
    this.asked.push(query);
    return this.#documents;
  }
}

/** A callback handler of the user's own, which keeps what it is told. */
class Listener extends BaseCallbackHandler {
  readonly name = "listener";
  readonly heard: (readonly unknown[])[] = [];
  override handleRetrieverStart(
    ...[serialized, query, , , tags]: Parameters<NonNullable<BaseCallbackHandler["handleRetrieverStart"]>>
  ) {
    this.heard.push(["start", query, tags, serialized.id]);
  }
  override handleRetrieverEnd(documents: unknown) {
    this.heard.push(["end", documents]);
  }
  override handleRetrieverError(error: unknown) {
    this.heard.push(["error", error]);
  }
}

const planted = () => [
  new Document({ id: text, pageContent: `first ${text}`, metadata: { by: { name: text }, [text]: 1 } }),
  Object.assign(new Document({ pageContent: "second" }), { note: text }),
];

type Entry = (shelf: Shelf) => Promise<unknown>;
const entries: Readonly<Record<string, Entry>> = {
  invoke: (shelf) => shelf.invoke(text),
  batch: (shelf) => shelf.batch([text, text]),
  stream: async (shelf) => collect(await shelf.stream(text)),
  "streamEvents in a chain": async (shelf) => {
    const chain = shelf.pipe(RunnableLambda.from((documents: unknown) => documents));
    const all = await collect(chain.streamEvents(text, { version: "v2" }));
    // What the user puts in is given back to the user.
    return all.filter(({ event }) => !event.endsWith("_start")).map(({ data }) => [data.output, data.chunk]);
  },
  "a chain": (shelf) => shelf.pipe((documents) => documents.map(({ pageContent }) => pageContent)).invoke(text),
  "a tool": (shelf) => shelf.asTool({ name: "shelf", description: "s", schema: z.string() }).invoke(text),
  "its retries": (shelf) => shelf.withRetry().invoke(text),
  "a configuration": (shelf) => shelf.withConfig({ tags: ["t"] }).invoke(text),
};

describe("with tracing, pii and audit, ten kinds of personal data are found nowhere", () => {
  it.each(Object.entries(entries))("around %s", async (name, entry) => {
    const watch = watched({ apply, order: Object.keys(entries).indexOf(name) % 6 });
    const shelf = new Shelf(planted());
    const seen = await entry(withPlugins(shelf, watch.plugins));
    const { spans, records } = await watch.written();
    for (const told of [seen, shelf.asked, spans, records]) expect(found(told)).toEqual([]);
    expect(JSON.stringify([shelf.asked, seen])).toContain("[REDACTED_EMAIL]");
    expect(spans[0]?.attributes).toMatchObject({ "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.top_k": 2 });
    expect(records.some((record) => record.includes('"retrieval"'))).toBe(true);
  });

  it("around a retriever to which a configuration or retries are bound already", async () => {
    const watch = watched({ apply });
    const shelf = new Shelf(planted());
    const seen = [
      await withPlugins(shelf.withConfig({ tags: ["t"] }), watch.plugins).invoke(text),
      await withPlugins(shelf.withRetry({ stopAfterAttempt: 2 }), watch.plugins).invoke(text),
    ];
    const { spans, records } = await watch.written();
    for (const told of [seen, shelf.asked, spans, records]) expect(found(told)).toEqual([]);
    expect(spans).toHaveLength(2);
  });

  it("in the callbacks' view of the found documents", async () => {
    const watch = watched({ apply });
    const listener = new Listener();
    await withPlugins(new Shelf(planted()), watch.plugins).invoke("Hello.", { callbacks: [listener] });
    expect(listener.heard).toHaveLength(2);
    expect(found(listener.heard)).toEqual([]);
    await watch.written();
  });

  it("where a search fails with them", async () => {
    const watch = watched({ apply });
    const shelf = new Shelf();
    jest.spyOn(shelf, "_getRelevantDocuments").mockRejectedValue(new Error(text));
    await rejection(withPlugins(shelf, watch.plugins).invoke(text));
    const { spans, records } = await watch.written();
    for (const told of [spans, records]) expect(found(told)).toEqual([]);
    expect(spans.map(({ status }) => status.code)).toEqual([2]);
  });

  it("around an agent with a retriever in a tool, a vector store below it, and embeddings below that", async () => {
    const watch = watched({ apply });
    const embeddings = withPlugins(new FakeEmbeddings(), watch.plugins);
    const store = await FakeVectorStore.fromTexts(
      [`one ${text}`, `two ${text}`],
      [{ of: text }, { of: text }],
      embeddings,
    );
    const retriever = withPlugins(store.asRetriever({ k: 2 }), watch.plugins);
    const search = langchain.tool(
      async ({ of }) => (await retriever.invoke(of)).map(({ pageContent }) => pageContent),
      {
        name: "search",
        schema: z.object({ of: z.string() }),
      },
    );
    const { createAgent } = withPlugins(langchain, watch.plugins);
    world.server.script({ toolCalls: [{ name: "search", arguments: { of: text } }], chunks: 5 }, { text, chunks: 7 });
    const agent = createAgent({ name: "desk", model: world.model(), tools: [search] });
    const seen = await collect(await agent.stream(asks("Hello."), { streamMode: ["messages", "values"] }));
    const tree = watch.tree();
    const { spans, records } = await watch.written();
    for (const told of [seen, world.prompts, spans, records]) expect(found(told)).toEqual([]);
    expect(tree.slice(1)).toEqual([
      "invoke_agent desk",
      "  chat gpt-5",
      "  execute_tool search",
      "    retrieval memory",
      "      embeddings FakeEmbeddings",
      "  chat gpt-5",
    ]);
  });

  it("without pii they are found, so that the search is one", async () => {
    const shelf = new Shelf(planted());
    expect(found([await shelf.invoke(text)])).toHaveLength(10);
    expect(found(shelf.asked)).toHaveLength(10);
  });
});

interface Seen {
  readonly request: RetrievalRequest;
  readonly runtime: RuntimeContext;
}

/** A layer that keeps what it sees, after it has changed that. */
function layer(change: (request: RetrievalRequest) => RetrievalRequest = (request) => request) {
  const seen: Seen[] = [];
  const plugin = definePlugin({
    name: "layer",
    async retrieval(invocation, callNext) {
      seen.push({ request: invocation.request, runtime: invocation.runtime });
      invocation.request = change(invocation.request);
      await callNext();
    },
  });
  return { plugin, seen };
}

const changing = (change: (value: RetrievalResult) => RetrievalResult) =>
  definePlugin({
    name: "changing",
    async retrieval(invocation, callNext) {
      await callNext();
      invocation.pipe({ chunk: (value, emit) => emit(change(value)) });
    },
  });

describe("a layer of retrieval", () => {
  it("changes the query, and receives the number of requested documents", async () => {
    const { plugin, seen } = layer((request) => ({ ...request, query: `${request.query}!` }));
    const shelf = new Shelf();
    await withPlugins(shelf, [plugin]).invoke("a");
    expect([shelf.asked, seen.map(({ request }) => request)]).toEqual([["a!"], [{ query: "a", limit: 2 }]]);
  });

  it("leaves documents out and puts others in; those that it did not change are the very objects", async () => {
    const documents = [new Document({ pageContent: "a" }), new Document({ pageContent: "b" })];
    const plugin = changing((value) => ({
      documents: [...value.documents.slice(1), { content: "c", id: "3", metadata: { of: 1 } }],
    }));
    const seen = await withPlugins(new Shelf(documents), [plugin]).invoke("q");
    expect(seen[0]).toBe(documents[1]);
    expect(seen[1]).toEqual(new Document({ pageContent: "c", id: "3", metadata: { of: 1 } }));
  });

  it("answers in the retriever's place", async () => {
    const cache = definePlugin({
      name: "cache",
      retrieval: async (invocation) => invocation.respond({ value: { documents: [{ content: "kept" }] } }),
    });
    const shelf = new Shelf();
    const listener = new Listener();
    const seen = await withPlugins(shelf, [cache]).invoke("q", { callbacks: [listener] });
    expect([seen, shelf.asked]).toEqual([[new Document({ pageContent: "kept" })], []]);
    expect(listener.heard.map(([what]) => what)).toEqual(["start", "end"]);
  });

  it("asks again", async () => {
    const shelf = new Shelf();
    let calls = 0;
    const once = shelf._getRelevantDocuments.bind(shelf);
    jest.spyOn(shelf, "_getRelevantDocuments").mockImplementation(async (query) => {
      if (calls++ === 0) throw new Error("busy");
      return once(query);
    });
    const retry = definePlugin({
      name: "retry",
      retrieval: (_, callNext) => callNext().catch(() => callNext()),
    });
    expect(await withPlugins(shelf, [retry]).invoke("q")).toHaveLength(2);
    expect(calls).toBe(2);
  });

  it("runs around a class's own `invoke`, and passes a query that is not text unchanged", async () => {
    class Own extends Shelf {
      override async invoke(query: string) {
        this.asked.push(query);
        return [new Document({ pageContent: `own ${JSON.stringify(query)}` })];
      }
    }
    const own = new Own();
    const { plugin, seen } = layer();
    const [document] = await withPlugins(own, [plugin]).invoke({ of: 1 } as never);
    expect([document?.pageContent, seen.map(({ request }) => request.query)]).toEqual(['own {"of":1}', ['{"of":1}']]);
  });

  it("runs in the agent's run if the tool's agent has the same plugins, and otherwise in an inner run", async () => {
    const { plugin, seen } = layer();
    const begun = await runsOfFinding(world, [plugin], (plugins) => {
      const same = withPlugins(new Shelf(), plugins);
      const others = withPlugins(new Shelf(), [plugin]);
      return async (of) => `${[await same.invoke(of), await others.invoke(of)]}`;
    });
    expect(begun).toHaveLength(1);
    expect(seen.map(({ runtime }) => [runtime === begun[0], runtime.parent === begun[0]])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("does not run twice where plugins are attached again, also through a configuration", async () => {
    const { plugin, seen } = layer();
    const wrapped = withPlugins(new Shelf(), [plugin]);
    await withPlugins(wrapped, [plugin]).invoke("q");
    await withPlugins(wrapped.withConfig({ tags: ["t"] }), [plugin]).invoke("q");
    expect(seen).toHaveLength(2);
  });
});

describe("a retriever with layers that change nothing is that without", () => {
  it("callbacks, tags and what it gives are the same", async () => {
    const documents = [new Document({ pageContent: "a" })];
    const told = async (shelf: Shelf) => {
      const listener = new Listener();
      const seen = await shelf.invoke("q", { callbacks: [listener], tags: ["mine"], metadata: { of: 1 } });
      return { seen, heard: listener.heard };
    };
    const bare = await told(new Shelf(documents));
    const wrapped = await told(withPlugins(new Shelf(documents), [layer().plugin]));
    expect(wrapped).toEqual(bare);
    expect(wrapped.seen).toBe(bare.seen);
    expect(wrapped.heard).toHaveLength(2);
  });

  it("is an instance of its class, and takes what is set on it", async () => {
    const shelf = new Shelf();
    const { plugin, seen } = layer();
    const wrapped = withPlugins(shelf, [plugin]);
    wrapped.k = 7;
    await wrapped.invoke("q");
    expect([wrapped instanceof Shelf, wrapped instanceof BaseRetriever, shelf.k]).toEqual([true, true, 7]);
    expect(seen[0]?.request.limit).toBe(7);
  });

  it("fails with the very error, of which callbacks are told", async () => {
    const error = new Error("busy");
    const shelf = new Shelf();
    jest.spyOn(shelf, "_getRelevantDocuments").mockRejectedValue(error);
    const listener = new Listener();
    const caught = await rejection(withPlugins(shelf, [layer().plugin]).invoke("q", { callbacks: [listener] }));
    expect(caught).toBe(error);
    expect(listener.heard.at(-1)).toEqual(["error", error]);
  });
});

it("plugins that would do nothing there are refused", () => {
  const refused = expect.objectContaining({ code: "ERR_HOOK_NOT_SERVED" });
  expect(() => withPlugins(new Shelf(), [pii({ email: "redact" })])).toThrow(refused);
  expect(() => withPlugins(new Shelf(), [pii({ email: "redact" }, { apply: { retrieval: true } })])).not.toThrow();
});
