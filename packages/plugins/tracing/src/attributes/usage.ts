import type { Attributes } from "@opentelemetry/api";
import type { Usage } from "@suite/core";
import { ATTR } from "./semconv.js";

/** Tokens of a whole reply: for that span the conventions list the two totals alone. */
export const totalAttributes = (usage: Usage | undefined): Attributes =>
  usageAttributes(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens });

/** Tokens of one call. Counts that are no whole number are left out: backends reject them. */
export function usageAttributes(usage: Usage | undefined): Attributes {
  const attributes: Attributes = {};
  if (usage === undefined) return attributes;
  const count = (key: string, value: number | undefined): void => {
    if (value !== undefined && Number.isSafeInteger(value) && value >= 0) attributes[key] = value;
  };
  count(ATTR.usageInputTokens, usage.inputTokens);
  count(ATTR.usageOutputTokens, usage.outputTokens);
  count(ATTR.usageCacheReadInputTokens, usage.cacheReadInputTokens);
  count(ATTR.usageCacheWriteInputTokens, usage.cacheCreationInputTokens);
  count(ATTR.usageReasoningOutputTokens, usage.reasoningOutputTokens);
  return attributes;
}
