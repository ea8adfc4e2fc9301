import type { Attributes } from "@opentelemetry/api";
import type { Usage } from "@suite/core";
import { usageAttributes } from "../attributes/common.js";
import { ATTR } from "../attributes/semconv.js";
import type { Instruments } from "./instruments.js";
import { MODALITY } from "./names.js";
import type { Tally } from "./tally.js";

/** The token metrics by their span attribute: per model call, in total, and per turn of an agent. */
const COUNTED = [
  { key: ATTR.usageInputTokens, call: "inputTokens", sum: "usedInputTokens", turn: "agentInputTokens" },
  { key: ATTR.usageOutputTokens, call: "outputTokens", sum: "usedOutputTokens", turn: "agentOutputTokens" },
  { key: ATTR.usageCacheReadInputTokens, call: undefined, sum: "usedCacheRead", turn: "agentCacheRead" },
  { key: ATTR.usageCacheWriteInputTokens, call: undefined, sum: "usedCacheWrite", turn: "agentCacheWrite" },
  { key: ATTR.usageReasoningOutputTokens, call: undefined, sum: "usedReasoning", turn: "agentReasoning" },
] as const;

/** Records the tokens of one model call: in both ways of the conventions, and for its agent. */
export function recordCallTokens(
  instruments: Instruments,
  usage: Usage | undefined,
  attributes: Attributes,
  tally: Tally | undefined,
): void {
  const counts = usageAttributes(usage);
  const summed = { ...attributes, [MODALITY.key]: MODALITY.unknown };
  for (const { key, call, sum } of COUNTED) {
    const count = counts[key];
    if (typeof count !== "number") continue;
    if (call !== undefined) instruments[call].record(count, attributes);
    instruments[sum].add(count, summed);
    tally?.tokens.set(key, (tally.tokens.get(key) ?? 0) + count);
  }
}

/** Records the tokens of one turn of an agent, without those of its sub-agents. */
export function recordTurnTokens(instruments: Instruments, { tokens }: Tally, attributes: Attributes): void {
  for (const { key, turn } of COUNTED) {
    const count = tokens.get(key);
    if (count !== undefined) instruments[turn].record(count, attributes);
  }
}
