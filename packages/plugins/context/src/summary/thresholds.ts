import { isObject } from "@suite/kit";
import { type Check, count } from "@suite/kit/options";
import { invalid } from "../options.js";

/** An amount of context: tokens, messages, or a fraction of the model's window. One of the three. */
export type ContextSize =
  | { readonly tokens: number }
  | { readonly messages: number }
  /** A fraction of `contextWindow`: above 0, and below 1. */
  | { readonly fraction: number };

/** An amount of context in its unit, the fraction worked out. */
export interface Threshold {
  readonly unit: "tokens" | "messages";
  readonly amount: number;
}

const sizes: Readonly<Record<string, (value: unknown) => boolean>> = {
  tokens: (value) => count(value) === undefined,
  messages: (value) => count(value) === undefined,
  fraction: (value) => typeof value === "number" && value > 0 && value < 1,
};

/** A check of one amount. */
export const contextSize: Check = (value) => {
  const [[unit, amount] = [], ...more] = isObject(value) ? Object.entries(value) : [];
  const valid = unit !== undefined && more.length === 0 && Object.hasOwn(sizes, unit) && sizes[unit]?.(amount);
  return valid
    ? undefined
    : "{ tokens } or { messages }, an integer of at least 1, or { fraction }, a number between 0 and 1";
};

/** An amount in tokens or messages. @throws {ContextError} `ERR_CONTEXT_OPTION` for a fraction of an unknown window. */
export function thresholdOf(size: ContextSize, window: number | undefined): Threshold {
  if ("messages" in size) return { unit: "messages", amount: size.messages };
  if ("tokens" in size) return { unit: "tokens", amount: size.tokens };
  if (window === undefined) throw invalid("A fraction requires contextWindow, the model's context size in tokens.");
  return { unit: "tokens", amount: Math.max(1, Math.floor(size.fraction * window)) };
}
