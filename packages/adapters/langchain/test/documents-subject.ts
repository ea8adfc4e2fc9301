import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";
import { OpenAIEmbeddings } from "@langchain/openai";
import type { Plugin, RuntimeContext } from "@suite/core";
import type { EmbedAttempt, ModelServer, Observed, SearchAttempt } from "@suite/testkit";
import * as langchain from "langchain";
import { z } from "zod";
import { withPlugins } from "../src/index.js";
import { asks, type useServer } from "./support.js";

/** LangChain's embeddings with the adapter, as the contract tests see them. */
export async function embed(server: ModelServer, { plugins, texts }: EmbedAttempt): Promise<Observed> {
  server.reset();
  const embeddings = new OpenAIEmbeddings({
    model: "m",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  });
  const seen = await withPlugins(embeddings, [...plugins])
    .embedDocuments([...texts])
    .then(
      (vectors) => ({ embeddings: vectors }),
      (error: unknown) => ({ error }),
    );
  return { pieces: [], ...seen, prompts: server.requests.map(({ body }) => JSON.stringify(body)) };
}

class Finder extends BaseRetriever {
  readonly lc_namespace = ["contract"];
  constructor(readonly find: SearchAttempt["find"]) {
    super();
  }
  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const found = await this.find(query);
    return found.map(
      ({ content, metadata = {}, id }) =>
        new Document({ pageContent: content, metadata: { ...metadata }, ...(id !== undefined && { id }) }),
    );
  }
}

/** A retriever of LangChain with the adapter, as the contract tests see it. */
export async function search({ plugins, query, find }: SearchAttempt): Promise<Observed> {
  const seen = await withPlugins(new Finder(find), [...plugins])
    .invoke(query)
    .then(
      (documents) => ({
        documents: documents.map(({ pageContent, metadata, id }) => ({
          content: pageContent,
          metadata,
          ...(id !== undefined && { id }),
        })),
      }),
      (error: unknown) => ({ error }),
    );
  return { pieces: [], ...seen, prompts: [] };
}

/** The runs that begin while an agent calls its only tool, `find`, which looks for "a". */
export async function runsOfFinding(
  world: ReturnType<typeof useServer>,
  plugins: readonly Plugin[],
  findWith: (plugins: readonly Plugin[]) => (of: string) => Promise<string>,
): Promise<readonly RuntimeContext[]> {
  const begun: RuntimeContext[] = [];
  const all: readonly Plugin[] = [...plugins, { name: "begins", begin: (runtime) => void begun.push(runtime) }];
  const find = findWith(all);
  const schema = z.object({ of: z.string() });
  const tool = langchain.tool(({ of }) => find(of), { name: "find", schema });
  world.server.script({ toolCalls: [{ name: "find", arguments: { of: "a" } }] }, { text: "Done." });
  const { createAgent } = withPlugins(langchain, all);
  await createAgent({ model: world.model(), tools: [tool] }).invoke(asks("Find."));
  return begun;
}
