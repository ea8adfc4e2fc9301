import type { Usage } from "@suite/core";

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

const optional = ["cacheReadInputTokens", "cacheCreationInputTokens", "reasoningOutputTokens"] as const;

/** Two usages as one. A count that is no number is none: one bad answer must not spoil the sum. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: count(a.inputTokens) + count(b.inputTokens),
    outputTokens: count(a.outputTokens) + count(b.outputTokens),
  };
  for (const name of optional) {
    if (a[name] !== undefined || b[name] !== undefined) sum[name] = count(a[name]) + count(b[name]);
  }
  return sum;
}

const count = (value: number | undefined): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
