import type { CallId } from "./kinds.js";

const ATTEMPT: unique symbol = Symbol.for("@suite/core/attempt");

/** An attempt at work stands on its call, as spans do: a WeakMap would cost the garbage collector dearly. */
interface AtWork extends CallId {
  [ATTEMPT]?: { readonly signal: AbortSignal };
}

/** Sets the attempt of a call that is at work. */
export function setAttempt(call: CallId, attempt: { readonly signal: AbortSignal }): void {
  (call as AtWork)[ATTEMPT] = attempt;
}

/**
 * The signal of a call's attempt: it aborts when the attempt is given up, and when the run ends. For tools, which are given
 * the call: `runtime.signal` tells of the run's end alone. Undefined before the innermost call is entered.
 *
 * @example
 * ```ts
 * execute: (input, runtime, call) => fetch(url, { signal: signalOf(call) ?? runtime.signal }),
 * ```
 */
export const signalOf = (call: CallId | undefined): AbortSignal | undefined =>
  (call as AtWork | undefined)?.[ATTEMPT]?.signal;
