import type { Usage } from "@suite/core";
import type { ToolChoice } from "@suite/core/contract";
import type { FinishReason } from "@suite/core/messages";
import { type Json, jsonOf, numberOf } from "./json.js";

/**
 * The settings of OpenAI's chat completions, by their OpenTelemetry names. Older servers call the limit `max_tokens`.
 */
export const chatSettings = {
  topP: "top_p",
  topK: "top_k",
  maxTokens: "max_completion_tokens",
  stopSequences: "stop",
  frequencyPenalty: "frequency_penalty",
  presencePenalty: "presence_penalty",
} as const;

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["tool_calls", "tool_call"],
  ["function_call", "tool_call"],
]);

/** Maps a finish reason of chat completions to the neutral one. An unknown reason is returned unchanged. */
export const chatFinishReason = (reason: string): FinishReason => reasons.get(reason) ?? reason;

/** Maps a finish reason to that of chat completions. Returns `stop` if it is missing. */
export const toChatFinishReason = (reason: FinishReason | undefined): string =>
  reason === "tool_call" ? "tool_calls" : (reason ?? "stop");

/** Returns the usage of a completion. The API counts cached tokens as input, as OpenTelemetry does. */
export function chatUsage(usage: object): Usage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage as Json;
  const { cached_tokens, cache_write_tokens } = jsonOf(prompt_tokens_details);
  const { reasoning_tokens } = jsonOf(completion_tokens_details);
  return {
    inputTokens: numberOf(prompt_tokens),
    outputTokens: numberOf(completion_tokens),
    ...(typeof cached_tokens === "number" && { cacheReadInputTokens: cached_tokens }),
    ...(typeof cache_write_tokens === "number" && { cacheCreationInputTokens: cache_write_tokens }),
    ...(typeof reasoning_tokens === "number" && { reasoningOutputTokens: reasoning_tokens }),
  };
}

/** Returns the usage in the form of a completion, without details. */
export const toChatUsage = ({ inputTokens, outputTokens }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
});

/** Maps the choice of a tool to that of chat completions. */
export const toChatToolChoice = (choice: ToolChoice) =>
  typeof choice === "string" ? choice : { type: "function" as const, function: { name: choice.name } };
