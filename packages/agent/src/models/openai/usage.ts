import type { Usage } from "@suite/core";
import type OpenAI from "openai";

/** The API counts what came from a cache as input, as OpenTelemetry does. */
export function usageOf(usage: OpenAI.CompletionUsage): Usage {
  const { cached_tokens, cache_write_tokens } = usage.prompt_tokens_details ?? {};
  const { reasoning_tokens } = usage.completion_tokens_details ?? {};
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(typeof cached_tokens === "number" && { cacheReadInputTokens: cached_tokens }),
    ...(typeof cache_write_tokens === "number" && { cacheCreationInputTokens: cache_write_tokens }),
    ...(typeof reasoning_tokens === "number" && { reasoningOutputTokens: reasoning_tokens }),
  };
}
