import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import { FetchError } from "../../errors.js";
import type { Json } from "../../json.js";
import type { Addressed } from "../../neutral/request.js";

/** The body of a request for embeddings as the layers see it. */
export interface EmbeddingView {
  readonly request: EmbeddingRequest;
  /**
   * Returns the body for a request of the layers. Returns the same object if nothing has changed.
   *
   * @throws FetchError `ERR_FETCH_EMBEDDING_COUNT`
   */
  write(changed: EmbeddingRequest): Json;
  /**
   * Returns the body of an answer that a layer changed or made.
   *
   * @param original the body of the server's answer, if there is one
   * @throws FetchError `ERR_FETCH_EMBEDDING_COUNT`
   */
  answer(result: EmbeddingResult, original?: Json): Json;
}

/** The protocol of requests for embeddings and their answers. */
export interface EmbeddingFormat {
  /** The provider as in `gen_ai.provider.name`, if the host does not name another one. */
  readonly provider: string;
  view(body: Json, address: Addressed, url: URL): EmbeddingView;
  /** Returns the address of the same request to another model, if the address contains the model. */
  to?(url: URL, model: string): URL;
  /** Returns the answer as the layers see it. */
  result(body: Json): EmbeddingResult;
}

/**
 * Checks that a plugin returned one value per input. The caller assigns the embeddings to its inputs by their order.
 *
 * @throws FetchError `ERR_FETCH_EMBEDDING_COUNT`
 */
export function checkCount({ length }: readonly unknown[], { input }: EmbeddingRequest): void {
  if (length === input.length) return;
  throw new FetchError(
    "ERR_FETCH_EMBEDDING_COUNT",
    `A plugin returned ${length} values for ${input.length} inputs. Return one per input, in the same order.`,
  );
}

/**
 * Returns the embedding in the encoding of the request. OpenAI's clients use base64 by default (32-bit floats,
 * little-endian).
 */
export function inEncoding(embedding: unknown, encodingFormat: string | undefined): unknown {
  if (encodingFormat === "base64") return isNumbers(embedding) ? toBase64(embedding) : embedding;
  return typeof embedding === "string" ? fromBase64(embedding) : embedding;
}

const isNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((item) => typeof item === "number");

function toBase64(numbers: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, number] of numbers.entries()) view.setFloat32(index * 4, number, true);
  let bytes = "";
  for (let at = 0; at < view.byteLength; at++) bytes += String.fromCharCode(view.getUint8(at));
  return btoa(bytes);
}

/** Decodes the numbers of a base64 string. Returns any other string unchanged. */
function fromBase64(text: string): readonly number[] | string {
  try {
    const view = new DataView(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer);
    return Array.from({ length: Math.floor(view.byteLength / 4) }, (_, index) => view.getFloat32(index * 4, true));
  } catch {
    return text;
  }
}
