import type { Awaitable } from "@suite/core";
import { MemoryError } from "../errors.js";
import type { StoreCall } from "../store.js";

/**
 * Makes vectors of texts, one for each, in order, all of one length. With a client or a framework that has plugins attached,
 * their `embedding` hooks see the texts.
 *
 * @example
 * ```ts
 * const { embedMany } = withPlugins(ai, plugins);
 * const embed = async (values) => (await embedMany({ model: openai.embeddingModel("text-embedding-3-small"), values })).embeddings;
 * ```
 */
export type Embed = (texts: readonly string[], call: StoreCall) => Awaitable<readonly (readonly number[])[]>;

/**
 * The vectors of texts, of length 1: their product is their cosine then.
 *
 * @throws {MemoryError} `ERR_MEMORY_ANSWER`
 */
export async function unitVectors(
  embed: Embed,
  texts: readonly string[],
  call: StoreCall,
): Promise<readonly (readonly number[])[]> {
  const vectors: unknown = await embed(texts, call);
  if (!Array.isArray(vectors) || vectors.length !== texts.length) throw noVectors();
  return vectors.map(unit);
}

function unit(vector: unknown): readonly number[] {
  if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite)) throw noVectors();
  const length = Math.hypot(...(vector as readonly number[]));
  return length === 0 ? vector : vector.map((each: number) => each / length);
}

const noVectors = (): MemoryError =>
  new MemoryError("ERR_MEMORY_ANSWER", "The function embed gives a list of numbers for each text, in their order.");
