import { onAbort } from "./abort.js";
import type { Awaitable } from "./contract/protocol.js";

/** The ends of a wait, beside the work's own. */
export interface WithinOptions {
  /** Makes the error of work that takes too long. */
  readonly late: () => unknown;
  /** The signal of the caller: its abort ends the wait, with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Waits for work, but no longer than so many milliseconds. Work that does not hear its signal is left behind. No timer and no
 * listener is left.
 *
 * @param work is given a signal that aborts when it is late, and with the caller's.
 * @throws what the work throws, what `late` makes, or the reason of the caller's abort.
 * @example
 * ```ts
 * const found = await within(5000, (signal) => fetch(url, { signal }), { late: () => new Error("No answer within 5 s.") });
 * ```
 */
export async function within<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Awaitable<T>,
  { late, signal }: WithinOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let off: (() => void) | undefined;
  const given = new Promise<never>((_, reject) => {
    // Rejected first: the error is this one, and not what the work makes of the abort.
    const end = (reason: unknown): void => {
      reject(reason);
      controller.abort(reason);
    };
    off = signal && onAbort(signal, () => end(signal.reason));
    timer = setTimeout(() => end(late()), milliseconds);
  });
  try {
    return await Promise.race([given, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    off?.();
  }
}

/** Waits so many milliseconds. Rejects with the signal's reason, and leaves no timer and no listener. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** A time that runs only while something is waited for, and tells when it is over. */
export class Clock {
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waits = 0;
  #pauses = 0;
  #ended = false;

  /** @param over called once, when the time is over. */
  constructor(
    milliseconds: number,
    readonly over: () => void,
  ) {
    this.#left = milliseconds;
  }

  /** Begins a wait: something is waited for. */
  start(): void {
    this.#waits++;
    this.#run();
  }

  /** Ends a wait: what was waited for has come. */
  stop(): void {
    this.#waits--;
    this.#run();
  }

  /** The time does not run, whatever is waited for: a person is asked. */
  pause(): void {
    this.#pauses++;
    this.#run();
  }

  resume(): void {
    this.#pauses--;
    this.#run();
  }

  /** Lets the time run while work is under way. */
  async running<T>(work: PromiseLike<T>): Promise<T> {
    this.start();
    try {
      return await work;
    } finally {
      this.stop();
    }
  }

  /** Stops the time while a question is under way. */
  async paused<T>(question: PromiseLike<T>): Promise<T> {
    this.pause();
    try {
      return await question;
    } finally {
      this.resume();
    }
  }

  /** Ends the clock: no timer is left. */
  end(): void {
    this.#ended = true;
    this.#run();
  }

  #run(): void {
    const runs = this.#waits > 0 && this.#pauses === 0 && !this.#ended;
    if (runs === (this.#timer !== undefined)) return;
    if (runs) {
      this.#since = performance.now();
      this.#timer = setTimeout(this.over, Math.max(0, this.#left));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#since;
  }
}
