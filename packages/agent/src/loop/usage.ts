import type { Usage } from "@suite/core";

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

const optional = ["cacheReadInputTokens", "cacheCreationInputTokens", "reasoningOutputTokens"] as const;

/** Two usages as one. */
export function addUsage(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
  for (const name of optional) {
    if (a[name] !== undefined || b[name] !== undefined) sum[name] = (a[name] ?? 0) + (b[name] ?? 0);
  }
  return sum;
}
