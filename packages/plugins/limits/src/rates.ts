import type { StateStore } from "@suite/core";

/** A rate that a call exceeds. */
export interface Exceeded {
  readonly limit: "min_interval" | "calls" | "tokens" | "waiting";
  readonly maximum: number;
  /** Milliseconds until the call may be tried again. */
  readonly wait: number;
}

/** The rate limits of one key. Times are in milliseconds. */
interface RateLimits {
  readonly minInterval: number | undefined;
  readonly calls: number | undefined;
  readonly tokens: number | undefined;
  readonly window: number;
  readonly enforced: boolean;
}

/**
 * Keeps the rates of all keys in a store. A window begins with its first call and ends when its counter expires. The
 * store's clock decides, so that machines with different clocks can share it.
 */
export class Rates {
  readonly #store: StateStore;
  readonly #limits: RateLimits;

  constructor(store: StateStore, limits: RateLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /**
   * Counts a call, unless it exceeds a rate. In monitor mode it is counted in all rates, because the call is made
   * anyway.
   *
   * @returns the exceeded rates; at most one if they are enforced
   */
  async take(key: string): Promise<readonly Exceeded[]> {
    const exceeded: Exceeded[] = [];
    for (const rate of [this.#tokens, this.#interval, this.#calls]) {
      const beyond = await rate.call(this, key);
      if (beyond === undefined) continue;
      exceeded.push(beyond);
      if (this.#limits.enforced) break;
    }
    return exceeded;
  }

  /** Counts the tokens of a call that has ended, in the window of its end. */
  async used(key: string, tokens: number): Promise<void> {
    if (tokens > 0) await this.#store.add(`${key}:tokens`, tokens, { ttl: this.#limits.window });
  }

  async #tokens(key: string): Promise<Exceeded | undefined> {
    const { tokens, window } = this.#limits;
    if (tokens === undefined) return undefined;
    const { total, expiresIn = window } = await this.#store.add(`${key}:tokens`, 0, { ttl: window });
    return total < tokens ? undefined : { limit: "tokens", maximum: tokens, wait: expiresIn };
  }

  async #interval(key: string): Promise<Exceeded | undefined> {
    const { minInterval } = this.#limits;
    if (minInterval === undefined) return undefined;
    const slot = { ttl: minInterval, maximum: 1 };
    const { added, expiresIn = minInterval } = await this.#store.add(`${key}:next`, 1, slot);
    return added ? undefined : { limit: "min_interval", maximum: minInterval, wait: expiresIn };
  }

  async #calls(key: string): Promise<Exceeded | undefined> {
    const { calls, window, enforced } = this.#limits;
    if (calls === undefined) return undefined;
    const maximum = enforced ? { maximum: calls } : {};
    const { added, total, expiresIn = window } = await this.#store.add(`${key}:calls`, 1, { ttl: window, ...maximum });
    return added && total <= calls ? undefined : { limit: "calls", maximum: calls, wait: expiresIn };
  }
}
