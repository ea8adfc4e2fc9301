import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { isInteropZodSchema } from "@langchain/core/utils/types";
import { isRecord } from "../messages/metadata.js";

/**
 * The JSON Schema that the text of an answer has to meet. Undefined where LangChain takes the structured answer from the
 * arguments of a tool call: the text is text then.
 */
export function outputSchemaOf(responseFormat: unknown, model: object): unknown {
  if (typeof responseFormat !== "object" || responseFormat === null || Array.isArray(responseFormat)) return undefined;
  if ("__responseFormatUndefined" in responseFormat) return undefined;
  // Strategies chosen by the user: that of the provider has `strict`, that of a tool has its `tool`.
  if ("strict" in responseFormat && "schema" in responseFormat) return responseFormat.schema;
  if ("tool" in responseFormat || !givesJson(model)) return undefined;
  return isInteropZodSchema(responseFormat) ? toJsonSchema(responseFormat) : responseFormat;
}

/** Whether the model gives JSON, as LangChain decides it. */
function givesJson(model: object): boolean {
  const { profile } = model as { readonly profile?: unknown };
  return isRecord(profile) && profile.structuredOutput === true;
}
