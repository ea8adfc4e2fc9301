import type { ModelRequest, Part, Usage } from "@suite/core";

/** The price of a model per million tokens, in the currency of the budget. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: the price of `input`. */
  readonly cacheRead?: number;
  /** Default: the price of `input`. */
  readonly cacheCreation?: number;
  /** The maximum number of tokens in one answer, as documented by the provider. */
  readonly maxOutputTokens: number;
}

/** The number of nano-units in one unit of the currency. Stores count nano-units as whole numbers. */
export const scale = 1_000_000_000;

/** Converts a price per million tokens to nano-units per token. */
const perToken = 1000;

/** Returns the maximum cost of a request, in nano-units. */
export function worstCost(request: ModelRequest, price: ModelPrice, inputTokens: number): number {
  const output = Math.min(request.settings?.maxTokens ?? price.maxOutputTokens, price.maxOutputTokens);
  const dearest = Math.max(price.input, price.cacheCreation ?? 0, price.cacheRead ?? 0);
  return Math.ceil((inputTokens * dearest + output * price.output) * perToken);
}

/**
 * Returns the cost of the usage in nano-units, or `undefined` if the usage is unknown or invalid. Servers report nulls,
 * strings, negative numbers, or only zeros for unknown usage.
 */
export function costOf(usage: Usage, price: ModelPrice): number | undefined {
  const { inputTokens, outputTokens, cacheReadInputTokens: read = 0, cacheCreationInputTokens: created = 0 } = usage;
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  if (![inputTokens, outputTokens, read, created].every(isTokens)) return undefined;
  const uncached = Math.max(0, inputTokens - read - created) * price.input;
  const cached = read * (price.cacheRead ?? price.input) + created * (price.cacheCreation ?? price.input);
  return Math.ceil((uncached + cached + outputTokens * price.output) * perToken);
}

const isTokens = (value: unknown): boolean => typeof value === "number" && value >= 0 && value < 1e12;

/**
 * Returns an upper bound of a request's input tokens: the bytes of all its text, since no tokenizer produces more than
 * one token per byte, and an overhead per message and tool. Images by URL are not counted; use `countTokens` for them.
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
    return 0; // a value that cannot be JSON is not sent as JSON
  }
}

/**
 * Returns an upper bound of a string's UTF-8 length. Each half of a surrogate pair counts three bytes, as if it were
 * alone.
 */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1;
  }
  return bytes;
}
