import type { CallId } from "./kinds.js";

const ATTEMPT: unique symbol = Symbol.for("@suite/core/attempt");

/** Stores a running attempt on its call, as spans are: a WeakMap would be expensive for the garbage collector. */
interface AtWork extends CallId {
  [ATTEMPT]?: { readonly signal: AbortSignal };
}

/** Sets the running attempt of a call. */
export function setAttempt(call: CallId, attempt: { readonly signal: AbortSignal }): void {
  (call as AtWork)[ATTEMPT] = attempt;
}

/**
 * Returns the signal of a call's attempt. It aborts when the attempt is given up and when the run ends. For tools,
 * which receive the call: `runtime.signal` aborts only when the run ends. Returns `undefined` before the innermost call
 * is entered.
 *
 * @example
 * ```ts
 * execute: (input, runtime, call) => fetch(url, { signal: signalOf(call) ?? runtime.signal }),
 * ```
 */
export const signalOf = (call: CallId | undefined): AbortSignal | undefined =>
  (call as AtWork | undefined)?.[ATTEMPT]?.signal;
