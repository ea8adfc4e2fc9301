import type Anthropic from "@anthropic-ai/sdk";
import type { FinishDelta, FinishReason, Usage } from "@suite/core";

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_call",
  refusal: "content_filter",
};

/** The end of an answer: what is known of it beside its content. */
export type Ending = Pick<Anthropic.Message, "id" | "model" | "stop_reason"> & { readonly usage: AnyUsage };

/** The usage of a whole answer, or of a stream's last event. */
export type AnyUsage = Partial<Anthropic.MessageDeltaUsage>;

export const finishOf = ({ id, model, stop_reason, usage }: Ending): FinishDelta => ({
  type: "finish",
  usage: usageOf(usage),
  ...(stop_reason && { finishReason: reasons[stop_reason] ?? stop_reason }),
  response: { id, model },
});

/** The API counts what a cache was read or written for beside the input; OpenTelemetry counts it as input. */
function usageOf(usage: AnyUsage): Usage {
  const { cache_read_input_tokens: read, cache_creation_input_tokens: written, output_tokens_details: details } = usage;
  return {
    inputTokens: (usage.input_tokens ?? 0) + (read ?? 0) + (written ?? 0),
    outputTokens: usage.output_tokens ?? 0,
    ...(typeof read === "number" && { cacheReadInputTokens: read }),
    ...(typeof written === "number" && { cacheCreationInputTokens: written }),
    ...(details && { reasoningOutputTokens: details.thinking_tokens }),
  };
}

/** A later count replaces an earlier one, where there is one. */
export const latest = (before: AnyUsage, after: AnyUsage): AnyUsage => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, count]) => count !== null)),
});
