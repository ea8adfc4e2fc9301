import type { Awaitable } from "@suite/core";
import { onAbort } from "@suite/core";
import { MemoryError } from "./errors.js";

/**
 * Waits for a store, or a function of the user's, but not for ever.
 *
 * @param outer the signal of the call.
 * @param work is given the signal that aborts with it, and when the time is over.
 * @throws {MemoryError} `ERR_MEMORY_TIMEOUT`
 */
export async function inTime<T>(
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Awaitable<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let off = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const give = (reason: unknown): void => {
      controller.abort(reason);
      reject(reason);
    };
    off = onAbort(outer, () => give(outer.reason));
    timer = setTimeout(() => give(tooLate(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([late, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    off();
  }
}

const tooLate = (milliseconds: number): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_TIMEOUT",
    `The memory has not answered within ${milliseconds} ms. Look at the store, or raise the option timeout; remember() has a minute.`,
  );
