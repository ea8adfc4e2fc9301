import type { Redactor } from "@suite/core";
import type { EmbeddingRequest, EmbeddingResult } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import { AiSdkError } from "../errors.js";
import type { EmbeddingModel, EmbedParams, EmbedResult } from "../framework.js";
import { redactedMetadata, redactedWarnings } from "../messages/metadata.js";
import { providerOf } from "../model/provider.js";

/** Returns the request for embeddings as the layers see it. */
export function requestOf(model: EmbeddingModel, params: EmbedParams): EmbeddingRequest {
  const dimensions = dimensionsIn(params);
  return {
    model: model.modelId,
    provider: providerOf(model.provider),
    input: params.values,
    ...(dimensions !== undefined && { dimensions }),
  };
}

/** Returns the parameters for a request of the layers. Returns the framework's object if nothing has changed. */
export function paramsOf(params: EmbedParams, before: EmbeddingRequest, after: EmbeddingRequest): EmbedParams {
  checkCount(after.input, params);
  const dimensions = after.dimensions !== before.dimensions;
  if (after.input === before.input && !dimensions) return params;
  return {
    ...params,
    values: after.input as string[],
    ...(dimensions && withDimensions(params, after.dimensions)),
  };
}

/** Returns the model's answer as the layers see it. */
export function neutralOf({ embeddings, usage, response }: EmbedResult): EmbeddingResult {
  const body = response?.body;
  return {
    embeddings,
    ...(usage !== undefined && { usage: { inputTokens: usage.tokens } }),
    ...(isRecord(body) && typeof body.model === "string" && { response: { model: body.model } }),
  };
}

/** Returns the model's answer with redacted metadata and warnings, which no layer sees. */
export const redacted = (result: EmbedResult, redactor: Redactor | undefined): EmbedResult =>
  redactedWarnings(redactedMetadata(result, redactor), redactor);

/** Returns the answer that a layer changed or made. It omits the body of the response, which repeats the original. */
export function resultOf(value: EmbeddingResult, original: EmbedResult | undefined, params: EmbedParams): EmbedResult {
  checkCount(value.embeddings, params);
  const { body: _, ...response } = original?.response ?? {};
  return {
    ...(original ?? { warnings: [] }),
    embeddings: value.embeddings as EmbedResult["embeddings"],
    ...(value.usage !== undefined && { usage: { tokens: value.usage.inputTokens } }),
    ...(original?.response !== undefined && { response }),
  };
}

/** Checks the number of embeddings, since the framework matches them with the input by position. */
function checkCount({ length }: readonly unknown[], { values }: EmbedParams): void {
  if (length === values.length) return;
  throw new AiSdkError(
    "ERR_AI_SDK_UNSUPPORTED",
    `A plugin returned ${length} values for ${values.length} inputs. Return one per input, in the same order.`,
  );
}

/** Returns the provider options that contain the number of dimensions. */
const sized = ({ providerOptions = {} }: EmbedParams) =>
  Object.entries(providerOptions).find(([, options]) => typeof options.dimensions === "number");

function dimensionsIn(params: EmbedParams): number | undefined {
  const dimensions = sized(params)?.[1].dimensions;
  return typeof dimensions === "number" ? dimensions : undefined;
}

function withDimensions(params: EmbedParams, dimensions: number | undefined): Partial<EmbedParams> {
  const [name, options] = sized(params) ?? [];
  if (name === undefined || options === undefined) return {};
  const { dimensions: _, ...rest } = options;
  const changed = dimensions === undefined ? rest : { ...rest, dimensions };
  return { providerOptions: { ...params.providerOptions, [name]: changed } };
}
