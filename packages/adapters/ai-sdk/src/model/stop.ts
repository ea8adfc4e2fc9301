import { type CallId, onAbort } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { settleAfter } from "@suite/core/framework";

/** A signal by which work is stopped, or the run that it belongs to: for hearing of that no signal is made. */
export type StopSignal = AbortSignal | Run;

/** The time that work may take to end after an abort, in milliseconds. What hangs is left behind. */
const patienceMs = 1000;

/** Settles with the work, or rejects with the reason as soon as one of these is stopped: what hears nothing is left behind. */
export const abortable = <T>(work: PromiseLike<T>, ...signals: readonly StopSignal[]): Promise<T> =>
  waitedFor(work, signals, 0);

/**
 * Settles with the work, also after an abort, which is for the work itself to take: the framework waits for its model and for
 * its tools, and an answer that still comes counts. Rejects with the reason where nothing comes.
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
    const offs = signals.map((signal) => heard(signal, stop));
    const over = (): void => {
      for (const off of offs) off();
      clearTimeout(timer);
    };
    settleAfter(over, work, resolve, reject);
  });
}

/** Calls `stop` with the reason of an abort, or of a run that is ended, and gives back what takes it off again. */
function heard(signal: StopSignal, stop: (reason: unknown) => void): () => void {
  if ("aborted" in signal) return onAbort(signal, () => stop(signal.reason));
  const off = signal.caller && heard(signal.caller, stop);
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

/** A place among the open work of a run: outside of all its calls. */
const outermost: CallId = { id: "", kind: "agent" };
