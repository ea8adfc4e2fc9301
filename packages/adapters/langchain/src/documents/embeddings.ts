import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import type { FrameworkRuns } from "@suite/core/framework";
import { LangChainAdapterError } from "../errors.js";
import { standingFor } from "../standing-for.js";
import { describeEmbeddings } from "./describe.js";

/** Embeddings of LangChain: an object that returns vectors for strings. */
export type Embeddings = EmbeddingsInterface<unknown>;

/** The arguments of the methods of embeddings, with the additional arguments of some classes. */
type EmbedQuery = Parameters<Embeddings["embedQuery"]>;
type EmbedDocuments = Parameters<Embeddings["embedDocuments"]>;

export const isEmbeddings = (target: object): target is Embeddings =>
  "embedQuery" in target && "embedDocuments" in target;

/**
 * Returns embeddings whose requests pass through the layers. Each request is a call in the run around it, or in a new
 * run.
 */
export function embeddingsThrough<E extends Embeddings>(embeddings: E, runs: FrameworkRuns): E {
  if (!runs.stack.has.embedding) return standingFor(embeddings, {});
  return standingFor(embeddings, {
    async embedQuery(...[text, ...more]: EmbedQuery) {
      const call = async ([one]: readonly unknown[]) => [
        await embeddings.embedQuery(...([one, ...more] as EmbedQuery)),
      ];
      return (await embed(embeddings, [text], call, runs))[0];
    },
    embedDocuments(...[texts, ...more]: EmbedDocuments) {
      const call = (inputs: readonly unknown[]) => embeddings.embedDocuments(...([inputs, ...more] as EmbedDocuments));
      return embed(embeddings, texts, call, runs);
    },
  });
}

/** Sends one request through the layers. Values that they do not change remain the same objects. */
async function embed(
  embeddings: Embeddings,
  input: readonly unknown[],
  call: (input: readonly unknown[]) => Promise<readonly unknown[]>,
  runs: FrameworkRuns,
): Promise<readonly unknown[]> {
  const request: EmbeddingRequest = { ...describeEmbeddings(embeddings), input };
  const outcome = await runs.call("embedding", request, async (invocation) => {
    const inputs = invocation.request.input;
    checkCount(inputs, input);
    const value: EmbeddingResult = { embeddings: await call(inputs) };
    invocation.respond({ value });
  });
  const { embeddings: vectors } = await outcome.final();
  checkCount(vectors, input);
  return vectors;
}

/** Throws if a layer changed the count. Strings and vectors are matched by order, so none may be missing. */
function checkCount({ length }: readonly unknown[], input: readonly unknown[]): void {
  if (length === input.length) return;
  throw new LangChainAdapterError(
    "ERR_LANGCHAIN_EMBEDDING_COUNT",
    `A plugin returned ${length} values for ${input.length} inputs. Return one per input, in the same order.`,
  );
}
