import { onAbort } from "@suite/core";

/** The result of a promise that did not settle in time. */
export const late: unique symbol = Symbol("late");

/**
 * Returns the value of a promise, or `late`. Rejects with the signal's reason if the signal is aborted first. The
 * promise itself is not cancelled.
 */
export function within<T>(promise: Promise<T>, milliseconds: number, signal?: AbortSignal): Promise<T | typeof late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => resolve(late)), milliseconds);
    let off: (() => void) | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      off?.();
      settle();
    };
    promise.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
    if (signal !== undefined) off = onAbort(signal, () => end(() => reject(signal.reason)));
  });
}
