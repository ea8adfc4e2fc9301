import { type Awaitable, onAbort } from "@suite/core";

/** The conditions that end a wait before the work does. */
export interface WithinOptions {
  /** Creates the error for work that takes too long. */
  readonly late: () => unknown;
  /** The caller's signal. Its abort ends the wait with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Waits for work up to a time limit. Work that ignores its signal is abandoned. Leaves no timer or listener.
 *
 * @param work receives a signal that aborts after the time limit and with the caller's signal.
 * @throws the work's error, the result of `late`, or the caller's abort reason.
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
  const timedOut = new Promise<never>((_, reject) => {
    // Rejects first, so that the error is this one and not the work's reaction to the abort.
    const end = (reason: unknown): void => {
      reject(reason);
      controller.abort(reason);
    };
    off = signal && onAbort(signal, () => end(signal.reason));
    timer = setTimeout(() => end(late()), milliseconds);
  });
  try {
    return await Promise.race([timedOut, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    off?.();
  }
}

/** The result of `inTime` for a promise that did not settle in time. */
export const late: unique symbol = Symbol("late");

/**
 * Waits for a promise up to a time limit. The work of the promise continues. Leaves no timer or listener.
 *
 * @returns the value of the promise, or `late`.
 * @throws the error of the promise, or the reason of the signal's abort.
 * @example
 * ```ts
 * if ((await inTime(closed, 1000)) === late) process.kill();
 * ```
 */
export function inTime<T>(
  promise: PromiseLike<T>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<T | typeof late> {
  return new Promise((resolve, reject) => {
    let off: (() => void) | undefined;
    const timer = setTimeout(() => end(() => resolve(late)), milliseconds);
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      off?.();
      settle();
    };
    promise.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
    off = signal && onAbort(signal, () => end(() => reject(signal.reason)));
  });
}

/** Waits for a number of milliseconds. Rejects with the signal's reason if it aborts. Leaves no timer or listener. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await inTime(new Promise<never>(() => {}), milliseconds, signal);
}

/** A time limit that elapses only during waits, and calls back when it has passed. */
export class Clock {
  #remaining: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waits = 0;
  #pauses = 0;
  #ended = false;

  /** @param over called once, when the time limit has passed. */
  constructor(
    milliseconds: number,
    readonly over: () => void,
  ) {
    this.#remaining = milliseconds;
  }

  /** Begins a wait. */
  start(): void {
    this.#waits++;
    this.#run();
  }

  /** Ends a wait. */
  stop(): void {
    this.#waits--;
    this.#run();
  }

  /** Pauses the time, even during waits, while a person is asked. */
  pause(): void {
    this.#pauses++;
    this.#run();
  }

  resume(): void {
    this.#pauses--;
    this.#run();
  }

  /** Lets the time elapse until the work has ended. */
  async running<T>(work: PromiseLike<T>): Promise<T> {
    this.start();
    try {
      return await work;
    } finally {
      this.stop();
    }
  }

  /** Pauses the time until the question is answered. */
  async paused<T>(question: PromiseLike<T>): Promise<T> {
    this.pause();
    try {
      return await question;
    } finally {
      this.resume();
    }
  }

  /** Ends the clock and its timer. */
  end(): void {
    this.#ended = true;
    this.#run();
  }

  #run(): void {
    const runs = this.#waits > 0 && this.#pauses === 0 && !this.#ended;
    if (runs === (this.#timer !== undefined)) return;
    if (runs) {
      this.#since = performance.now();
      this.#timer = setTimeout(this.over, Math.max(0, this.#remaining));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#remaining -= performance.now() - this.#since;
  }
}
