import type { Awaitable } from "@suite/core";
import { MemoryError } from "../errors.js";
import type { StoreCall } from "../store.js";

/**
 * Creates one vector per string, in order, all of the same length. If the client or framework has plugins attached,
 * their `embedding` hooks receive the strings.
 *
 * @example
 * ```ts
 * const { embedMany } = withPlugins(ai, plugins);
 * const embed = async (values) => (await embedMany({ model: openai.embeddingModel("text-embedding-3-small"), values })).embeddings;
 * ```
 */
export type Embed = (texts: readonly string[], call: StoreCall) => Awaitable<readonly (readonly number[])[]>;

/**
 * Returns the vectors of the strings, normalized to length 1, so that their dot product is their cosine.
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
  new MemoryError(
    "ERR_MEMORY_ANSWER",
    "The function embed must return one list of numbers per string, in the same order.",
  );
