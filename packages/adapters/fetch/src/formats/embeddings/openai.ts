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
  const inputOf = ({ input: inputs }: EmbeddingRequest): Json => {
    if (input === undefined) return jsonOf(inputs[0]);
    return { input: isList ? inputs : inputs[0] };
  };
  return {
    request,
    write(changed) {
      checkCount(changed.input, request);
      const changes = {
        ...(changed.model !== request.model && { model: changed.model }),
        ...(changed.dimensions !== request.dimensions && { dimensions: changed.dimensions }),
        ...(changed.encodingFormat !== request.encodingFormat && { encoding_format: changed.encodingFormat }),
        ...(changed.input !== request.input && inputOf(changed)),
      };
      return Object.keys(changes).length === 0 ? body : { ...body, ...changes };
    },
    answer: (result, original) => answer(result, request, original),
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

function answer({ embeddings, usage, response }: EmbeddingResult, request: EmbeddingRequest, original?: Json): Json {
  checkCount(embeddings, request);
  const items = original === undefined ? [] : itemsIn(original);
  const tokens = { prompt_tokens: usage?.inputTokens ?? 0, total_tokens: usage?.inputTokens ?? 0 };
  return {
    object: "list",
    model: response?.model ?? request.model,
    ...original,
    data: embeddings.map((embedding, index) => ({
      object: "embedding",
      index,
      ...items[index],
      embedding: inEncoding(embedding, request.encodingFormat),
    })),
    usage: { ...jsonOf(original?.usage), ...tokens },
  };
}

/** Returns the embeddings in the order of the input, by their index. */
function itemsIn({ data }: Json): readonly Json[] {
  const items = Array.isArray(data) ? data.map(jsonOf) : [];
  return items.every(({ index }) => typeof index === "number")
    ? items.sort((one, other) => Number(one.index) - Number(other.index))
    : items;
}
