import type { UsageMetadata } from "@langchain/core/messages";
import type { Usage } from "@suite/core";
import type { FinishReason } from "@suite/core/messages";

/** Converts LangChain's token counts to OpenTelemetry's names. Returns `undefined` if nothing was counted. */
export function usageOf(from: UsageMetadata | undefined): Usage | undefined {
  if (from === undefined || (from.input_tokens === undefined && from.output_tokens === undefined)) return undefined;
  const { input_token_details: input, output_token_details: output } = from;
  return {
    inputTokens: from.input_tokens ?? 0,
    outputTokens: from.output_tokens ?? 0,
    ...(input?.cache_read !== undefined && { cacheReadInputTokens: input.cache_read }),
    ...(input?.cache_creation !== undefined && { cacheCreationInputTokens: input.cache_creation }),
    ...(output?.reasoning !== undefined && { reasoningOutputTokens: output.reasoning }),
  };
}

/** Converts usage to LangChain's form, for a count that LangChain did not create. */
export const usageMetadataOf = (usage: Usage): UsageMetadata => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
});

/**
 * Adds a count to the fields of a message, so that it is stored with the message. The type of the fields does not
 * contain it.
 */
export const withUsage = <Fields extends object>(fields: Fields, usage_metadata: UsageMetadata | undefined): Fields =>
  usage_metadata === undefined ? fields : Object.assign(fields, { usage_metadata });

/** OpenTelemetry's names of finish reasons that providers name differently. */
const reasons: Readonly<Record<string, FinishReason>> = {
  __proto__: null as never,
  tool_calls: "tool_call",
  tool_use: "tool_call",
  function_call: "tool_call",
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
};

/** Returns the finish reason from the fields of a provider. */
export function finishReasonOf(...sources: readonly (object | undefined)[]): FinishReason | undefined {
  for (const source of sources) {
    const { finish_reason, stop_reason, finishReason } = (source ?? {}) as Readonly<Record<string, unknown>>;
    const reason = finish_reason ?? stop_reason ?? finishReason;
    if (typeof reason === "string" && reason !== "") return reasons[reason] ?? (reason.toLowerCase() as FinishReason);
  }
  return undefined;
}

/** Returns the provider's id of the response and the model that created it. */
export function responseOf(id: string | undefined, metadata: object | undefined) {
  const { model_name, model } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const name = model_name ?? model;
  if (id === undefined && typeof name !== "string") return undefined;
  return { ...(id !== undefined && { id }), ...(typeof name === "string" && { model: name }) };
}
