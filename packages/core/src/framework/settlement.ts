import { onAbort } from "../abort.js";
import type { Outcome, Settlement } from "../contract/outcome.js";
import type { Awaitable } from "../contract/protocol.js";
import { Flow } from "../engine/flow.js";
import type { Run } from "../engine/run.js";

/** Reads an answer to its end, and gives how it ended. Never rejects. */
export async function settlementOf<C, F>(outcome: Outcome<C, F>): Promise<Settlement<F>> {
  await outcome.final().catch(() => {}); // told by the settlement
  return outcome.settled;
}

/** The error, or reason, that an answer ended with. */
export const reasonOf = (settlement: Settlement<unknown> & { readonly status: "failed" | "cancelled" }): unknown =>
  settlement.status === "failed" ? settlement.error : settlement.reason;

/** A signal by which work is stopped, or the run that it belongs to: of that, no signal is made. */
export type StopSignal = AbortSignal | Pick<Run, "onStop">;

/** Settles with the work, or rejects with the reason as soon as one of these aborts: what hears nothing is left behind. */
export function abortable<T>(work: PromiseLike<T>, ...signals: readonly StopSignal[]): Promise<T> {
  return new Promise((resolve, reject) => settleWith(work, resolve, reject, heardBy(signals, reject)));
}

/** Settles a promise as the work does, and takes the listeners off that it had meanwhile. */
function settleWith<T>(
  work: PromiseLike<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
  off: () => void,
): void {
  work.then(
    (value) => {
      off();
      resolve(value);
    },
    (error: unknown) => {
      off();
      reject(error);
    },
  );
}

/** Calls `listener` with the reason when one of the signals aborts, and gives back what takes it off again. */
function heardBy(signals: readonly StopSignal[], listener: (reason: unknown) => void): () => void {
  const offs = signals.map((signal) =>
    "onStop" in signal ? signal.onStop(listener) : onAbort(signal, () => listener(signal.reason)),
  );
  return () => {
    for (const off of offs) off();
  };
}

/**
 * Lets whoever made a call judge its whole answer, behind all layers and before any of them is told how it ended: where
 * `judge` throws, the answer has failed with that. To be set before it is read.
 */
export function judged<C, F>(outcome: Outcome<C, F>, judge: (final: F) => Awaitable<void>): Outcome<C, F> {
  if (outcome instanceof Flow) (outcome as Flow<C, F>).judge = judge;
  return outcome;
}

/** The time that work may take to end after an abort, in milliseconds. What hangs is left behind. */
const patienceMs = 1000;

/**
 * Settles with the work, also after an abort, which is for the work itself to take: a framework waits for its model and for
 * its tools, and an answer that still comes counts. Rejects with the reason where nothing comes.
 */
export function patiently<T>(work: PromiseLike<T>, ...signals: readonly StopSignal[]): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = heardBy(signals, (reason) => {
      timer ??= setTimeout(() => reject(reason), patienceMs);
    });
    settleWith(work, resolve, reject, () => {
      off();
      clearTimeout(timer);
    });
  });
}
