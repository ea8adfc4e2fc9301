import type { UsageMetadata } from "@langchain/core/messages";
import type { FinishReason, Usage } from "@suite/core";

/** LangChain's count of tokens under OpenTelemetry's names; undefined where nothing was counted. */
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

/** LangChain's form of a count that it did not give itself. */
export const usageMetadataOf = (usage: Usage): UsageMetadata => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
});

/** A message's fields with a count: in the fields, so that it is stored with the message. Their type has no room for one. */
export const withUsage = <Fields extends object>(fields: Fields, usage_metadata: UsageMetadata | undefined): Fields =>
  usage_metadata === undefined ? fields : Object.assign(fields, { usage_metadata });

/** Reasons for which an answer ended, in providers' words, where OpenTelemetry has another. */
const reasons: Readonly<Record<string, FinishReason>> = {
  __proto__: null as never,
  tool_calls: "tool_call",
  tool_use: "tool_call",
  function_call: "tool_call",
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
};

/** The reason why an answer ended, out of what its provider said. */
export function finishReasonOf(...places: readonly (object | undefined)[]): FinishReason | undefined {
  for (const place of places) {
    const { finish_reason, stop_reason, finishReason } = (place ?? {}) as Readonly<Record<string, unknown>>;
    const reason = finish_reason ?? stop_reason ?? finishReason;
    if (typeof reason === "string" && reason !== "") return reasons[reason] ?? (reason.toLowerCase() as FinishReason);
  }
  return undefined;
}

/** The response's id by its provider, and the model that gave it. */
export function responseOf(id: string | undefined, metadata: object | undefined) {
  const { model_name, model } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const name = model_name ?? model;
  if (id === undefined && typeof name !== "string") return undefined;
  return { ...(id !== undefined && { id }), ...(typeof name === "string" && { model: name }) };
}
