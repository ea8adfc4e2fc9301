import { Usage } from "@openai/agents";
import type { Usage as Tokens } from "@suite/core";

type Details = Readonly<Record<string, number>> | readonly Readonly<Record<string, number>>[] | undefined;

/** The token counts of the SDK: an instance of its class, or an object with the same fields. */
export interface UsageFields {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTokensDetails?: Details;
  readonly outputTokensDetails?: Details;
}

export function tokensOf({ inputTokens, outputTokens, inputTokensDetails, outputTokensDetails }: UsageFields): Tokens {
  const cached = detail(inputTokensDetails, "cached_tokens");
  const written = detail(inputTokensDetails, "cache_write_tokens");
  const reasoning = detail(outputTokensDetails, "reasoning_tokens");
  return {
    inputTokens,
    outputTokens,
    ...(cached !== undefined && { cacheReadInputTokens: cached }),
    ...(written !== undefined && { cacheCreationInputTokens: written }),
    ...(reasoning !== undefined && { reasoningOutputTokens: reasoning }),
  };
}

/** Converts usage to the SDK's form, for an answer that no model of the SDK created. */
export function usageOf(tokens: Tokens = { inputTokens: 0, outputTokens: 0 }): Usage {
  const { inputTokens, outputTokens } = tokens;
  return new Usage({ requests: 0, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens });
}

/** Returns the sum of the tokens of several answers. */
export function totalOf(all: readonly UsageFields[]): Tokens {
  const sum = { inputTokens: 0, outputTokens: 0 };
  for (const { inputTokens, outputTokens } of all) {
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
  }
  return sum;
}

function detail(details: Details, name: string): number | undefined {
  let sum: number | undefined;
  for (const each of [details ?? []].flat()) {
    const value = each[name];
    if (typeof value === "number") sum = (sum ?? 0) + value;
  }
  return sum;
}
