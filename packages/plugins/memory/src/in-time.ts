import type { Awaitable } from "@suite/core";
import { within } from "@suite/kit/time";
import { MemoryError } from "./errors.js";

/**
 * Waits for a store or a user's function, up to a time limit.
 *
 * @param signal the signal of the call.
 * @throws {MemoryError} `ERR_MEMORY_TIMEOUT`
 */
export const inTime = <T>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Awaitable<T>,
): Promise<T> => within(milliseconds, work, { signal, late: () => tooLate(milliseconds) });

const tooLate = (milliseconds: number): MemoryError =>
  new MemoryError(
    "ERR_MEMORY_TIMEOUT",
    `The memory did not answer within ${milliseconds} ms. Check the store, or raise the option timeout (remember() has a minute).`,
  );
