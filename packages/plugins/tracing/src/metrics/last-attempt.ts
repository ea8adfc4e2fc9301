import type { CallId } from "@suite/core";

/** The time at which an attempt of a call ended because another replaced it, by `performance.now`. */
const over = new WeakMap<CallId, number>();

export const attemptIsOver = (call: CallId): void => void over.set(call, performance.now());

/** Returns the start of the last known attempt of a call, or 0. */
export const lastAttemptOf = (call: CallId): number => over.get(call) ?? 0;
