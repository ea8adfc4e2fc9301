import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import { type Json, jsonOf } from "../../json.js";
import type { Addressed } from "../../neutral/request.js";
import { checkCount, type EmbeddingFormat, type EmbeddingView, inEncoding } from "./format.js";

/** OpenAI's `POST …/embeddings`, which other providers offer too. */
export const openAIEmbeddings: EmbeddingFormat = { provider: "openai", view, result };

/**
 * Reads the body: one string, a list of strings, one or several lists of tokens, or the fields that a server accepts
 * instead of `input`.
 */
function view(body: Json, address: Addressed): EmbeddingView {
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
    answer: (given, came) => answer(given, request, came),
  };
}

const isTokens = (input: readonly unknown[]): boolean => typeof input[0] === "number";

/** Returns the answer as the layers see it. */
function result(body: Json): EmbeddingResult {
  const { prompt_tokens: inputTokens } = jsonOf(body.usage);
  const { id, model } = body;
  return {
    embeddings: itemsIn(body).map(({ embedding }) => embedding),
    ...(typeof inputTokens === "number" && { usage: { inputTokens } }),
    response: { ...(typeof id === "string" && { id }), ...(typeof model === "string" && { model }) },
  };
}

function answer({ embeddings, usage, response }: EmbeddingResult, request: EmbeddingRequest, came?: Json): Json {
  checkCount(embeddings, request);
  const items = came === undefined ? [] : itemsIn(came);
  const tokens = { prompt_tokens: usage?.inputTokens ?? 0, total_tokens: usage?.inputTokens ?? 0 };
  return {
    object: "list",
    model: response?.model ?? request.model,
    ...came,
    data: embeddings.map((embedding, index) => ({
      object: "embedding",
      index,
      ...items[index],
      embedding: inEncoding(embedding, request.encodingFormat),
    })),
    usage: { ...jsonOf(came?.usage), ...tokens },
  };
}

/** Returns the embeddings in the order of the input, by their index. */
function itemsIn({ data }: Json): readonly Json[] {
  const items = Array.isArray(data) ? data.map(jsonOf) : [];
  return items.every(({ index }) => typeof index === "number")
    ? items.sort((one, other) => Number(one.index) - Number(other.index))
    : items;
}
