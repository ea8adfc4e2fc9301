import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { isRecord } from "@suite/kit";

/**
 * Returns the JSON Schema of the answer's text. Returns `undefined` if LangChain takes the structured answer from the
 * arguments of a tool call, because the text is then not JSON.
 */
export function outputSchemaOf(responseFormat: unknown, model: object): unknown {
  if (typeof responseFormat !== "object" || responseFormat === null || Array.isArray(responseFormat)) return undefined;
  if ("__responseFormatUndefined" in responseFormat) return undefined;
  // Strategies that the user chose: the provider strategy has `strict`, the tool strategy has `tool`.
  if ("strict" in responseFormat && "schema" in responseFormat) return responseFormat.schema;
  if ("tool" in responseFormat || !returnsJson(model)) return undefined;
  return isInteropZodSchema(responseFormat) ? toJsonSchema(responseFormat) : responseFormat;
}

/** True if LangChain expects that the model returns JSON. */
function returnsJson(model: object): boolean {
  const { profile } = model as { readonly profile?: unknown };
  return isRecord(profile) && profile.structuredOutput === true;
}
