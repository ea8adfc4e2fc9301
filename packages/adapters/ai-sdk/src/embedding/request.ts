import type { EmbeddingRequest, EmbeddingResult, Redactor } from "@suite/core";
import { AiSdkError } from "../errors.js";
import { type EmbeddingModel, type EmbedParams, type EmbedResult, isRecord } from "../framework.js";
import { redactedMetadata, redactedWarnings } from "../messages/metadata.js";
import { providerOf } from "../model/provider.js";

/** The request for embeddings as the layers see it. */
export function requestOf(model: EmbeddingModel, params: EmbedParams): EmbeddingRequest {
  const dimensions = dimensionsIn(params);
  return {
    model: model.modelId,
    provider: providerOf(model.provider),
    input: params.values,
    ...(dimensions !== undefined && { dimensions }),
  };
}

/** The request that the model is asked after all layers: the framework's own object where nothing was changed. */
export function paramsOf(params: EmbedParams, given: EmbeddingRequest, asked: EmbeddingRequest): EmbedParams {
  checkCount(asked.input, params);
  const dimensions = asked.dimensions !== given.dimensions;
  if (asked.input === given.input && !dimensions) return params;
  return {
    ...params,
    values: asked.input as string[],
    ...(dimensions && withDimensions(params, asked.dimensions)),
  };
}

/** The model's answer as the layers see it. */
export function neutralOf({ embeddings, usage, response }: EmbedResult): EmbeddingResult {
  const body = response?.body;
  return {
    embeddings,
    ...(usage !== undefined && { usage: { inputTokens: usage.tokens } }),
    ...(isRecord(body) && typeof body.model === "string" && { response: { model: body.model } }),
  };
}

/** The model's answer as it came, but for what its provider says beside the embeddings, which no layer sees. */
export const redacted = (given: EmbedResult, redactor: Redactor | undefined): EmbedResult =>
  redactedWarnings(redactedMetadata(given, redactor), redactor);

/** An answer that a layer changed, or made: in place of the model's, without the body that repeats that. */
export function resultOf(value: EmbeddingResult, given: EmbedResult | undefined, params: EmbedParams): EmbedResult {
  checkCount(value.embeddings, params);
  const { body: _, ...response } = given?.response ?? {};
  return {
    ...(given ?? { warnings: [] }),
    embeddings: value.embeddings as EmbedResult["embeddings"],
    ...(value.usage !== undefined && { usage: { tokens: value.usage.inputTokens } }),
    ...(given?.response !== undefined && { response }),
  };
}

/** Checks the number of embeddings: the framework puts them and the texts together by their order, so that none may be missing. */
function checkCount({ length }: readonly unknown[], { values }: EmbedParams): void {
  if (length === values.length) return;
  throw new AiSdkError(
    "ERR_AI_SDK_NO_PLACE",
    `A layer made ${length} of ${values.length} texts or embeddings. Let it keep their number and their order.`,
  );
}

/** The options in which a provider is told how many dimensions are asked for. */
const sized = ({ providerOptions = {} }: EmbedParams) =>
  Object.entries(providerOptions).find(([, own]) => typeof own.dimensions === "number");

function dimensionsIn(params: EmbedParams): number | undefined {
  const dimensions = sized(params)?.[1].dimensions;
  return typeof dimensions === "number" ? dimensions : undefined;
}

function withDimensions(params: EmbedParams, dimensions: number | undefined): Partial<EmbedParams> {
  const [name, own] = sized(params) ?? [];
  if (name === undefined || own === undefined) return {};
  const { dimensions: _, ...rest } = own;
  const changed = dimensions === undefined ? rest : { ...rest, dimensions };
  return { providerOptions: { ...params.providerOptions, [name]: changed } };
}
