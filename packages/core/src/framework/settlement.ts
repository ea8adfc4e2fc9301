import { onAbort } from "../abort.js";
import type { Outcome, Settlement } from "../contract/outcome.js";
import type { Awaitable } from "../contract/protocol.js";
import type { Flow } from "../engine/flow.js";

/** Reads an answer to its end and returns its settlement. Never rejects. */
export async function settlementOf<C, F>(outcome: Outcome<C, F>): Promise<Settlement<F>> {
  await outcome.final().catch(() => {}); // the settlement contains the error
  return outcome.settled;
}

/** Returns the error or reason of an answer that did not complete. */
export const reasonOf = (settlement: Settlement<unknown> & { readonly status: "failed" | "cancelled" }): unknown =>
  settlement.status === "failed" ? settlement.error : settlement.reason;

/** Settles a promise with the result of work, after calling `over`. Uses one promise less than a chain. */
export function settleAfter<T>(
  over: () => void,
  work: PromiseLike<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): void {
  work.then(
    (value) => {
      over();
      resolve(value);
    },
    (error) => {
      over();
      reject(error);
    },
  );
}

/**
 * Settles with the work, or rejects with the signal's reason as soon as it aborts. Work that ignores the signal is
 * abandoned.
 */
export function abortable<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(signal.reason));
    settleAfter(off, work, resolve, reject);
  });
}

/**
 * Sets a check of the whole answer, after all layers and before any of them learns its settlement. If `judge` throws,
 * the answer fails with that error. Call it before the answer is read.
 */
export function judged<C, F>(outcome: Outcome<C, F>, judge: (final: F) => Awaitable<void>): Outcome<C, F> {
  if ("judge" in outcome) (outcome as Flow<C, F>).judge = judge;
  return outcome;
}

/** The time in milliseconds that work may take to end after an abort. After that it is abandoned. */
const patienceMs = 1000;

/**
 * Settles with the work, even after an abort, since the work itself handles the abort: a framework waits for its model
 * and tools, and a late answer counts. Rejects with the signal's reason if the work does not end in time.
 */
export function patiently<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onAbort(signal, () => {
      timer = setTimeout(() => reject(signal.reason), patienceMs);
    });
    const over = (): void => {
      off();
      clearTimeout(timer);
    };
    settleAfter(over, work, resolve, reject);
  });
}
