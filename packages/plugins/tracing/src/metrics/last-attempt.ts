import type { CallId } from "@suite/core";

/** The time at which an attempt of a call was seen to be over, since another took its place; of `performance.now`. */
const over = new WeakMap<CallId, number>();

export const attemptIsOver = (call: CallId): void => void over.set(call, performance.now());

/** The time at which the attempt began that a call ended with, as far as it is known. */
export const lastAttemptOf = (call: CallId): number => over.get(call) ?? 0;
