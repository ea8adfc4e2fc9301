import type { EmbeddingRequest, EmbeddingResult } from "@suite/core";
import { FetchError } from "../../errors.js";
import { isJson, type Json, jsonOf } from "../../json.js";
import type { Addressed } from "../../neutral/request.js";
import { inEncoding } from "./encoding.js";

/** The body of a request for embeddings as the layers see it, and the way back. */
export interface EmbeddingView {
  readonly request: EmbeddingRequest;
  /** The body of what the layers ask: the same object where nothing changed. @throws FetchError `ERR_FETCH_EMBEDDING_COUNT` */
  write(asked: EmbeddingRequest): Json;
}

/** Reads the body: a text, a list of texts, one or several lists of tokens, or what a server takes in place of `input`. */
export function embeddingView(body: Json, address: Addressed): EmbeddingView {
  const { model, dimensions, encoding_format: encodingFormat, input, ...rest } = body;
  const isList = Array.isArray(input) && !isTokens(input);
  const single: unknown = input === undefined ? rest : input;
  const request: EmbeddingRequest = {
    ...address,
    model: typeof model === "string" ? model : "",
    input: isList ? input : [single],
    ...(typeof dimensions === "number" && { dimensions }),
    ...(typeof encodingFormat === "string" && { encodingFormat }),
  };
  const inputOf = ({ input: asked }: EmbeddingRequest): Json => {
    if (input === undefined) return jsonOf(asked[0]);
    return { input: isList ? asked : asked[0] };
  };
  return {
    request,
    write(asked) {
      checkCount(asked.input, request);
      const changes = {
        ...(asked.model !== request.model && { model: asked.model }),
        ...(asked.dimensions !== request.dimensions && { dimensions: asked.dimensions }),
        ...(asked.encodingFormat !== request.encodingFormat && { encoding_format: asked.encodingFormat }),
        ...(asked.input !== request.input && inputOf(asked)),
      };
      return Object.keys(changes).length === 0 ? body : { ...body, ...changes };
    },
  };
}

const isTokens = (input: readonly unknown[]): boolean => typeof input[0] === "number";

/** The answer as the layers see it. */
export function resultIn(body: Json): EmbeddingResult {
  const { prompt_tokens: inputTokens } = jsonOf(body.usage);
  const { id, model } = body;
  return {
    embeddings: itemsIn(body).map(({ embedding }) => embedding),
    ...(typeof inputTokens === "number" && { usage: { inputTokens } }),
    response: { ...(typeof id === "string" && { id }), ...(typeof model === "string" && { model }) },
  };
}

/**
 * The body of an answer that a layer changed, or gave by itself.
 *
 * @param body of the server's answer, where there is one.
 * @throws FetchError `ERR_FETCH_EMBEDDING_COUNT`
 */
export function bodyOf({ embeddings, usage, response }: EmbeddingResult, request: EmbeddingRequest, body?: Json): Json {
  checkCount(embeddings, request);
  const items = body === undefined ? [] : itemsIn(body);
  const tokens = { prompt_tokens: usage?.inputTokens ?? 0, total_tokens: usage?.inputTokens ?? 0 };
  return {
    object: "list",
    model: response?.model ?? request.model,
    ...body,
    data: embeddings.map((embedding, index) => ({
      object: "embedding",
      index,
      ...items[index],
      embedding: inEncoding(embedding, request.encodingFormat),
    })),
    usage: { ...jsonOf(body?.usage), ...tokens },
  };
}

/** The embeddings in the order of the texts, which their index tells. */
function itemsIn({ data }: Json): readonly Json[] {
  const items = Array.isArray(data) ? data.map(jsonOf) : [];
  return items.every(({ index }) => typeof index === "number")
    ? items.sort((one, other) => Number(one.index) - Number(other.index))
    : items;
}

/** Whoever asked puts texts and embeddings together by their order, so that none may be missing. */
function checkCount({ length }: readonly unknown[], { input }: EmbeddingRequest): void {
  if (length === input.length) return;
  throw new FetchError(
    "ERR_FETCH_EMBEDDING_COUNT",
    `A layer made ${length} of ${input.length} texts or embeddings. Let it keep their number and their order.`,
  );
}

/** @throws FetchError `ERR_FETCH_ANSWER_UNREADABLE` */
export function answerIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isJson(value)) return value;
  } catch {}
  throw new FetchError("ERR_FETCH_ANSWER_UNREADABLE", "The answer of the model server is not a JSON object.");
}
