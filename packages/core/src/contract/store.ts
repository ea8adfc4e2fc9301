import type { Awaitable } from "./protocol.js";

/** The lifetime of a store's entry: `ttl` in milliseconds from its creation. Absent: no expiry. */
export interface Expiry {
  readonly ttl?: number;
}

/** A stored value, and its version for `compareAndSet`. */
export interface StoredValue {
  /** JSON. */
  readonly value: unknown;
  readonly version: string;
}

/** The total of a counter after `add`, and whether the amount was added. */
export interface Added {
  readonly added: boolean;
  readonly total: number;
  /**
   * Milliseconds until the counter expires, by the store's clock. Absent if it never expires or the store does not
   * know.
   */
  readonly expiresIn?: number;
}

/**
 * State that outlives a run and is shared by all processes of the store: counters, budgets, caches, claims. Each
 * operation is atomic, also between processes. A key is any string, and holds a value, a counter or a claim. `get` and
 * `add` reject a key of another kind; `compareAndSet` and `claim` treat it as taken. Values are JSON. Amounts, totals
 * and maximums are safe integers. An amount that would lead to another total is rejected: no store rounds.
 *
 * A store that cannot be reached rejects or throws with an error, and never makes up an answer. The code that uses
 * a store documents the consequence.
 */
export interface StateStore {
  /** Returns the value, or `undefined` if it does not exist or has expired. */
  get(key: string): Awaitable<StoredValue | undefined>;
  /**
   * Replaces the value of a key if its version is still `version`, or if it does not exist and `version` is `undefined`.
   * The value `undefined` removes the entry. Returns true if it was replaced.
   */
  compareAndSet(key: string, version: string | undefined, value: unknown, expiry?: Expiry): Awaitable<boolean>;
  /**
   * Adds to the counter of a key, which begins at 0, unless the total would exceed `maximum`. A negative amount (a
   * refund) is always added. The counter expires `ttl` after its creation; later additions do not extend it.
   */
  add(key: string, amount: number, options?: Expiry & { readonly maximum?: number }): Awaitable<Added>;
  /** Claims the key. Returns true for the first caller, false for all others until the claim expires. */
  claim(key: string, expiry?: Expiry): Awaitable<boolean>;
  /** Removes the entry of a key, of any kind. */
  delete(key: string): Awaitable<void>;
}
