import { type CallId, onAbort } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { settleAfter } from "@suite/core/framework";

/** A signal that stops work, or the run of that work, which needs no extra signal. */
export type StopSignal = AbortSignal | Run;

/** The time that work may take after an abort, in milliseconds. */
const patienceMs = 1000;

/**
 * Settles with the work. Rejects with the reason as soon as a signal aborts or a run ends, and does not wait for the
 * work then.
 */
export const abortable = <T>(work: PromiseLike<T>, ...signals: readonly StopSignal[]): Promise<T> =>
  waitedFor(work, signals, 0);

/**
 * Settles with the work, even after an abort, which the work itself handles. The framework waits for its model and its
 * tools, and a late answer counts. Rejects with the reason if the work does not settle in time.
 */
export const patiently = <T>(work: PromiseLike<T>, ...signals: readonly StopSignal[]): Promise<T> =>
  waitedFor(work, signals, patienceMs);

function waitedFor<T>(work: PromiseLike<T>, signals: readonly StopSignal[], patience: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = (reason: unknown): void => {
      if (patience === 0) reject(reason);
      else timer ??= setTimeout(() => reject(reason), patience);
    };
    const offs = signals.map((signal) => listenForStop(signal, stop));
    const over = (): void => {
      for (const off of offs) off();
      clearTimeout(timer);
    };
    settleAfter(over, work, resolve, reject);
  });
}

/** Calls `stop` with the reason of an abort or of the end of a run. Returns a function that removes the listener. */
function listenForStop(signal: StopSignal, stop: (reason: unknown) => void): () => void {
  if ("aborted" in signal) return onAbort(signal, () => stop(signal.reason));
  const off = signal.caller && listenForStop(signal.caller, stop);
  const release = (): void => {
    off?.();
    signal.release(open);
  };
  const cancel = async (reason: unknown): Promise<void> => {
    release();
    stop(reason);
  };
  const open = { doom: cancel, cancel };
  signal.adopt(open, outermost);
  return release;
}

/** The call id for work of a run that belongs to none of its calls. */
const outermost: CallId = { id: "", kind: "agent" };
