import type { Usage } from "@suite/core";
import type { ToolChoice } from "@suite/core/contract";
import type { FinishReason } from "@suite/core/messages";
import { type Json, jsonOf, numberOf, objectsOf, stringOf } from "./json.js";

/** The settings of Anthropic's messages API, by their OpenTelemetry names. */
export const messagesSettings = {
  topP: "top_p",
  topK: "top_k",
  maxTokens: "max_tokens",
  stopSequences: "stop_sequences",
} as const;

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_use", "tool_call"],
  ["refusal", "content_filter"],
]);

const messagesReasons: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["tool_call", "tool_use"],
  ["content_filter", "refusal"],
]);

/** Maps the stop reason of a message to a neutral finish reason. An unknown reason is returned unchanged. */
export const messagesFinishReason = (reason: string): FinishReason => reasons.get(reason) ?? reason;

/** Maps a finish reason to the stop reason of a message. Returns `end_turn` if it is missing. */
export const toMessagesStopReason = (reason: FinishReason = "stop"): string => messagesReasons.get(reason) ?? reason;

/**
 * Returns the usage of a message. The API counts tokens read from or written to a cache apart from the input;
 * OpenTelemetry counts them as input. The tokens of a compaction on the server are billed and counted apart from those of
 * the message, so they are added.
 */
export function messagesUsage(usage: object): Usage {
  const compactions = objectsOf(jsonOf(usage).iterations).filter(({ type }) => type === "compaction");
  return compactions.map(usageOf).reduce(sum, usageOf(usage));
}

function usageOf(usage: object): Usage {
  const {
    input_tokens,
    output_tokens,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens_details: details,
  } = usage as Json;
  const { thinking_tokens } = jsonOf(details);
  return {
    inputTokens: numberOf(input_tokens) + numberOf(read) + numberOf(written),
    outputTokens: numberOf(output_tokens),
    ...(typeof read === "number" && { cacheReadInputTokens: read }),
    ...(typeof written === "number" && { cacheCreationInputTokens: written }),
    ...(typeof thinking_tokens === "number" && { reasoningOutputTokens: thinking_tokens }),
  };
}

/** Adds up two usages. A count that both lack stays absent. */
const sum = (a: Usage, b: Usage): Usage => {
  const total: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) total[name] = numberOf(total[name]) + numberOf(count);
  return { ...total, inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
};

/**
 * Returns the types of the edits that the provider applied to the history, from `context_management` of an answer.
 * Returns nothing if there were none.
 */
export function messagesContextEdits(context: unknown): { readonly contextEdits?: readonly string[] } {
  const types = objectsOf(jsonOf(context).applied_edits).map(({ type }) => stringOf(type).slice(0, 100));
  return types.length === 0 ? {} : { contextEdits: types.slice(0, 20) };
}

/** Returns the usage in the form of a message, without tokens read from or written to a cache. */
export const toMessagesUsage = ({
  inputTokens,
  outputTokens,
  cacheReadInputTokens = 0,
  cacheCreationInputTokens = 0,
}: Usage) => ({
  input_tokens: inputTokens - cacheReadInputTokens - cacheCreationInputTokens,
  output_tokens: outputTokens,
});

/** Merges the usage of a stream: a later count, if present, replaces an earlier one. */
export const latestUsage = <U extends object>(before: U, after: object): U => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, count]) => count !== null)),
});

/** Maps the choice of a tool to that of the messages API. Every choice there is an object. */
export function toMessagesToolChoice(choice: ToolChoice) {
  if (typeof choice === "object") return { type: "tool" as const, name: choice.name };
  return { type: choice === "required" ? ("any" as const) : choice };
}
