import type { ModelRequest, Part, Usage } from "@suite/core";

/** The price of a model, per million tokens, in whatever currency the budget is. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: that of `input`. */
  readonly cacheRead?: number;
  /** Default: that of `input`. */
  readonly cacheCreation?: number;
  /** The most tokens that one answer may have, as its provider documents it. */
  readonly maxOutputTokens: number;
}

/** One unit of the currency is so many of the whole numbers that a store counts. */
export const scale = 1_000_000_000;

/** A price per million tokens is a thousand times as many nano-units per token. */
const perToken = 1000;

/** The most that a request may cost, in nano-units. */
export function worstCost(request: ModelRequest, price: ModelPrice, inputTokens: number): number {
  const output = Math.min(request.settings?.maxTokens ?? price.maxOutputTokens, price.maxOutputTokens);
  const dearest = Math.max(price.input, price.cacheCreation ?? 0, price.cacheRead ?? 0);
  return Math.ceil((inputTokens * dearest + output * price.output) * perToken);
}

/**
 * Returns the cost of what was used, in nano-units, or `undefined` if the usage does not tell it. Servers send nulls,
 * strings, negative numbers, and zeros alone for "unknown".
 */
export function costOf(usage: Usage, price: ModelPrice): number | undefined {
  const { inputTokens, outputTokens, cacheReadInputTokens: read = 0, cacheCreationInputTokens: created = 0 } = usage;
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  if (![inputTokens, outputTokens, read, created].every(isTokens)) return undefined;
  const plain = Math.max(0, inputTokens - read - created) * price.input;
  const cached = read * (price.cacheRead ?? price.input) + created * (price.cacheCreation ?? price.input);
  return Math.ceil((plain + cached + outputTokens * price.output) * perToken);
}

const isTokens = (value: unknown): boolean => typeof value === "number" && value >= 0 && value < 1e12;

/**
 * The most input tokens that a request may have: the bytes of all its text, since no tokenizer makes more than one of a byte,
 * and some for each message and tool. Images by address are not counted: a `countTokens` of the user's own is.
 */
export function mostInputTokens({ messages, tools, outputSchema }: ModelRequest): number {
  let bytes = 16 + bytesOf(outputSchema);
  for (const { parts } of messages) {
    bytes += 16;
    for (const part of parts) bytes += 16 + bytesOfPart(part);
  }
  for (const { name, description = "", parameters } of tools) {
    bytes += 32 + utf8Length(name) + utf8Length(description) + bytesOf(parameters);
  }
  return bytes;
}

function bytesOfPart(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "blob":
      return utf8Length(part.content);
    case "tool_call":
      return utf8Length(part.name) + bytesOf(part.arguments);
    case "tool_call_response":
      return bytesOf(part.response);
    case "native":
      return bytesOf(part.value);
    default:
      return bytesOf({ ...part, native: undefined });
  }
}

function bytesOf(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === "string") return utf8Length(value);
  try {
    return utf8Length(JSON.stringify(value) ?? "");
  } catch {
    return 0; // what cannot be JSON is not sent as JSON either
  }
}

/** The bytes of a text in UTF-8 at most: halves of a pair count as if they stood alone, for which three are sent. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
  }
  return bytes;
}
