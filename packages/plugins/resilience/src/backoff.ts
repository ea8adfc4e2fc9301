import { amount, type Check, count, flag } from "@suite/kit/options";
import { retryAfterOf } from "./failure/retry-after.js";
import { invalid, timeOrNone } from "./options.js";

/** The number of attempts and the delays between them. Times are in milliseconds. */
export interface BackoffOptions {
  /** The maximum number of attempts, including the first. Default: 3. */
  readonly maxAttempts?: number;
  /** The delay before the second attempt. Default: 1,000. */
  readonly initialDelay?: number;
  /** The growth factor of the delay. With 0 or 1 it stays the same. Default: 2. */
  readonly factor?: number;
  /** The maximum delay. It also caps a longer `retry-after` of the provider. Default: 60,000. */
  readonly maxDelay?: number;
  /** Varies each delay at random by up to a quarter, so that callers do not retry at the same moment. Default: true. */
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

/** Computes how many attempts a call gets and how long to wait before each. Holds no state of a call. */
export class Backoff {
  readonly maxAttempts: number;
  readonly #initialDelay: number;
  readonly #factor: number;
  readonly #maxDelay: number;
  readonly #jitter: boolean;

  /** @throws {ResilienceError} `ERR_RESILIENCE_OPTION` if `initialDelay` is longer than `maxDelay` */
  constructor(options: BackoffOptions) {
    const { maxAttempts = 3, factor = 2, maxDelay = 60_000, jitter = true } = options;
    const { initialDelay = Math.min(1000, maxDelay) } = options;
    if (initialDelay > maxDelay) throw invalid("initialDelay must not exceed maxDelay.");
    this.maxAttempts = maxAttempts;
    this.#initialDelay = initialDelay;
    this.#factor = factor === 0 ? 1 : factor;
    this.#maxDelay = maxDelay;
    this.#jitter = jitter;
  }

  /**
   * Returns the delay after a failed attempt, in milliseconds: the error's `retry-after`, otherwise the next delay of
   * the series. Both are capped at `maxDelay`.
   *
   * @param attempt the number of the failed attempt, from 1
   */
  delay(attempt: number, error: unknown): number {
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) return Math.min(retryAfter, this.#maxDelay);
    const delay = Math.min(this.#initialDelay * this.#factor ** (attempt - 1), this.#maxDelay);
    if (!this.#jitter) return delay;
    return Math.min(delay * (0.75 + Math.random() / 2), this.#maxDelay);
  }
}
