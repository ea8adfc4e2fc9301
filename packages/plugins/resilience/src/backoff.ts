import { amount, type Check, count, flag } from "@suite/core/options";
import { retryAfterOf } from "./failure/retry-after.js";
import { invalid, timeOrNone } from "./options.js";

/** The number of attempts, and the waits between them. Times are milliseconds. */
export interface BackoffOptions {
  /** Attempts at most, the first one included. Default: 3. */
  readonly maxAttempts?: number;
  /** The wait before the second attempt. Default: 1,000. */
  readonly initialDelay?: number;
  /** Multiplies the wait each time. 0 and 1: it stays the same. Default: 2. */
  readonly factor?: number;
  /** The longest wait, also where a provider asks for a longer one by `retry-after`. Default: 60,000. */
  readonly maxDelay?: number;
  /** Whether a wait is made up to a quarter longer or shorter at random, so that callers do not come back at once. Default: true. */
  readonly jitter?: boolean;
}

/** The checks of these options, for `checkOptions`. */
export const backoffChecks: Readonly<Record<keyof BackoffOptions, Check>> = {
  maxAttempts: count,
  initialDelay: timeOrNone,
  factor: amount,
  maxDelay: timeOrNone,
  jitter: flag,
};

/** The attempts at one call: how many there may be, and how long to wait before each. Keeps no state of a call. */
export class Backoff {
  readonly maxAttempts: number;
  readonly #initialDelay: number;
  readonly #factor: number;
  readonly #maxDelay: number;
  readonly #jitter: boolean;

  /** @throws {ResilienceError} `ERR_RESILIENCE_OPTION` where the first wait is longer than the longest. */
  constructor(options: BackoffOptions) {
    const { maxAttempts = 3, factor = 2, maxDelay = 60_000, jitter = true } = options;
    const { initialDelay = Math.min(1000, maxDelay) } = options;
    if (initialDelay > maxDelay) throw invalid("The initialDelay is at most the maxDelay.");
    this.maxAttempts = maxAttempts;
    this.#initialDelay = initialDelay;
    this.#factor = factor === 0 ? 1 : factor;
    this.#maxDelay = maxDelay;
    this.#jitter = jitter;
  }

  /**
   * The wait after a failed attempt, in milliseconds: what the error asks for by `retry-after`, else the next of the
   * series. Neither is longer than the cap.
   *
   * @param attempt the attempt that has failed, from 1.
   */
  delay(attempt: number, error: unknown): number {
    const asked = retryAfterOf(error);
    if (asked !== undefined) return Math.min(asked, this.#maxDelay);
    const delay = Math.min(this.#initialDelay * this.#factor ** (attempt - 1), this.#maxDelay);
    if (!this.#jitter) return delay;
    return Math.min(delay * (0.75 + Math.random() / 2), this.#maxDelay);
  }
}
