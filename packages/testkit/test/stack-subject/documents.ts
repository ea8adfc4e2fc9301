import { PluginStack } from "@suite/core/adapter";
import type { EmbeddingResult, RetrievalResult } from "@suite/core/contract";
import { FrameworkRuns } from "@suite/core/framework";
import type { ContractDocument, EmbedAttempt, ModelServer, Observed, SearchAttempt } from "@suite/testkit";
import OpenAI from "openai";
import type { Bug } from "./bugs.js";

/** Embeddings on core's stack alone, with bugs on request. */
export async function embed(
  server: ModelServer,
  { plugins, texts }: EmbedAttempt,
  bugs: ReadonlySet<Bug>,
): Promise<Observed> {
  server.reset();
  const client = new OpenAI({ apiKey: "none", baseURL: `${server.url}/v1`, maxRetries: 0, logLevel: "off" });
  const runs = new FrameworkRuns(new PluginStack(plugins));
  const ask = async (input: readonly unknown[]): Promise<EmbeddingResult> => {
    const { data } = await client.embeddings.create({ model: "m", input: input as string[], encoding_format: "float" });
    return { embeddings: data.map(({ embedding }) => embedding) };
  };
  const seen = async (): Promise<Pick<Observed, "embeddings" | "error">> => {
    try {
      const outcome = await runs.call("embedding", { model: "m", input: texts }, async (invocation) => {
        const past = bugs.has("texts are embedded past the plugins");
        invocation.respond({ value: await ask(past ? texts : invocation.request.input) });
      });
      const { embeddings } = await outcome.final();
      return { embeddings: embeddings as number[][] };
    } catch (error) {
      return { error };
    }
  };
  return { pieces: [], ...(await seen()), prompts: server.requests.map(({ body }) => JSON.stringify(body)) };
}

/** A search on core's stack alone, with bugs on request. */
export async function search({ plugins, query, find }: SearchAttempt, bugs: ReadonlySet<Bug>): Promise<Observed> {
  const runs = new FrameworkRuns(new PluginStack(plugins));
  let given: readonly ContractDocument[] = [];
  try {
    const outcome = await runs.call("retrieval", { query }, async (invocation) => {
      given = await find(bugs.has("queries go past the plugins") ? query : invocation.request.query);
      const value: RetrievalResult = { documents: given };
      invocation.respond({ value });
    });
    const { documents } = await outcome.final();
    const past = bugs.has("documents are given past the plugins");
    return { pieces: [], documents: past ? given : (documents as readonly ContractDocument[]), prompts: [] };
  } catch (error) {
    return { pieces: [], error, prompts: [] };
  }
}
