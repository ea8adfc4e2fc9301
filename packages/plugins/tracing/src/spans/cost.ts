import type { Attributes } from "@opentelemetry/api";
import type { Reply, Usage } from "@suite/core";
import { usageAttributes } from "../attributes/common.js";
import { BACKEND, SUITE } from "../attributes/own-names.js";
import { ATTR } from "../attributes/semconv.js";
import { TracingError } from "../errors.js";

/** The price of a million tokens of a model, in any currency. Default for tokens of the cache: the price of input. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Returns the usage attributes of a model call. */
export type UsageOf = (usage: Usage | undefined, requestedModel: string, answered?: Reply["response"]) => Attributes;

/**
 * Returns the function that creates the attributes of tokens and cost.
 *
 * @param prices by model, as named in the provider's response or in the request
 * @param backendNames uses the names that Langfuse and OpenInference's converter read
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function usageBy(prices: Readonly<Record<string, Price>> = {}, backendNames = false): UsageOf {
  const table = new Map(Object.entries(prices));
  for (const price of table.values()) {
    const { input, output, cacheRead = 0, cacheWrite = 0 } = price;
    if (![input, output, cacheRead, cacheWrite].every((each) => Number.isFinite(each) && each >= 0)) {
      throw new TracingError(
        "ERR_TRACING_INVALID_OPTION",
        "tracing({ prices }): use { input, output } per million tokens, 0 or more.",
      );
    }
  }
  return (usage, requestedModel, answered) => {
    const attributes = usageAttributes(usage);
    if (usage === undefined) return attributes;
    const price = table.get(answered?.model ?? requestedModel) ?? table.get(requestedModel);
    const cost = price && costOf(usage, price);
    if (cost !== undefined) attributes[SUITE.usageCost] = cost;
    if (!backendNames) return attributes;
    if (cost !== undefined) attributes[BACKEND.cost] = cost;
    // Replaces the conventions' name: backends that do not know it would count those tokens twice.
    const { [ATTR.usageCacheWriteInputTokens]: written, ...rest } = attributes;
    return written === undefined ? attributes : { ...rest, [BACKEND.cacheCreationInputTokens]: written };
  };
}

const MILLION = 1_000_000;

/**
 * Returns the cost of a call. Input tokens include those of the cache. Returns `undefined` if a count is not a number.
 */
function costOf(usage: Usage, { input, output, cacheRead = input, cacheWrite = input }: Price): number | undefined {
  const {
    inputTokens = 0,
    outputTokens = 0,
    cacheReadInputTokens: read = 0,
    cacheCreationInputTokens: written = 0,
  } = usage;
  const fresh = Math.max(0, inputTokens - read - written);
  const cost = (fresh * input + read * cacheRead + written * cacheWrite + outputTokens * output) / MILLION;
  return Number.isFinite(cost) && cost >= 0 ? cost : undefined;
}
