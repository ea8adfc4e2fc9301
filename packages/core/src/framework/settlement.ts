import { onAbort } from "../abort.js";
import type { Outcome, Settlement } from "../contract/outcome.js";
import type { Awaitable } from "../contract/protocol.js";
import type { Flow } from "../engine/flow.js";

/** Reads an answer to its end, and gives how it ended. Never rejects. */
export async function settlementOf<C, F>(outcome: Outcome<C, F>): Promise<Settlement<F>> {
  await outcome.final().catch(() => {}); // told by the settlement
  return outcome.settled;
}

/** The error, or reason, that an answer ended with. */
export const reasonOf = (settlement: Settlement<unknown> & { readonly status: "failed" | "cancelled" }): unknown =>
  settlement.status === "failed" ? settlement.error : settlement.reason;

/** Hands the end of work to a promise's callbacks, after `over` was called: with one promise less than a chain makes. */
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

/** Settles with the work, or rejects with the signal's reason as soon as it aborts: what hears nothing is left behind. */
export function abortable<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(signal.reason));
    settleAfter(off, work, resolve, reject);
  });
}

/**
 * Lets whoever made a call judge its whole answer, behind all layers and before any of them is told how it ended: where
 * `judge` throws, the answer has failed with that. To be set before it is read.
 */
export function judged<C, F>(outcome: Outcome<C, F>, judge: (final: F) => Awaitable<void>): Outcome<C, F> {
  if ("judge" in outcome) (outcome as Flow<C, F>).judge = judge;
  return outcome;
}

/** The time that work may take to end after an abort, in milliseconds. What hangs is left behind. */
const patienceMs = 1000;

/**
 * Settles with the work, also after an abort, which is for the work itself to take: a framework waits for its model and for
 * its tools, and an answer that still comes counts. Rejects with the signal's reason where nothing comes.
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
