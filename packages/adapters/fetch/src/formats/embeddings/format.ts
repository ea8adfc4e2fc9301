import type { EmbeddingRequest, EmbeddingResult } from "@suite/core";
import { FetchError } from "../../errors.js";
import type { Json } from "../../json.js";
import type { Addressed } from "../../neutral/request.js";

/** The body of a request for embeddings as the layers see it, and the way back. */
export interface EmbeddingView {
  readonly request: EmbeddingRequest;
  /** The body of what the layers ask: the same object where nothing changed. @throws FetchError `ERR_FETCH_EMBEDDING_COUNT` */
  write(asked: EmbeddingRequest): Json;
  /**
   * The body of an answer that a layer changed, or gave by itself.
   *
   * @param came the body of the server's answer, where there is one.
   * @throws FetchError `ERR_FETCH_EMBEDDING_COUNT`
   */
  answer(result: EmbeddingResult, came?: Json): Json;
}

/** The protocol by which embeddings are asked for and answered. */
export interface EmbeddingFormat {
  /** The provider as in `gen_ai.provider.name`, where the host tells no other. */
  readonly provider: string;
  view(body: Json, address: Addressed, url: URL): EmbeddingView;
  /** The address at which another model is asked, where the address names it. */
  to?(url: URL, model: string): URL;
  /** The answer as the layers see it. */
  result(body: Json): EmbeddingResult;
}

/**
 * Checks that no text and no embedding is missing: whoever asked puts them together by their order.
 *
 * @throws FetchError `ERR_FETCH_EMBEDDING_COUNT`
 */
export function checkCount({ length }: readonly unknown[], { input }: EmbeddingRequest): void {
  if (length === input.length) return;
  throw new FetchError(
    "ERR_FETCH_EMBEDDING_COUNT",
    `A layer made ${length} of ${input.length} texts or embeddings. Let it keep their number and their order.`,
  );
}
