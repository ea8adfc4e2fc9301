import type { Awaitable } from "./protocol.js";

/** The lifetime of an entry of a store: `ttl` milliseconds from when it is made. Absent: for ever. */
export interface Expiry {
  readonly ttl?: number;
}

/** The value under a key, and the version by which `compareAndSet` knows it again. */
export interface StoredValue {
  /** JSON. */
  readonly value: unknown;
  readonly version: string;
}

/** The total of a counter after `add`, and whether the amount was added. */
export interface Added {
  readonly added: boolean;
  readonly total: number;
  /** Milliseconds until the counter expires, by the store's clock. Absent where it never does, or the store does not tell. */
  readonly expiresIn?: number;
}

/**
 * State that outlives a run, and is common to all processes that share the store: counters, budgets, caches, claims.
 * Each operation is atomic, also between processes. A key is any string, and holds a value, a counter or a claim: `get` and
 * `add` refuse a key of another kind, for `compareAndSet` and `claim` it is taken. Values are JSON; amounts, totals and
 * maximums are safe integers, and an amount that would make a total of another kind is refused: no store rounds.
 *
 * A store that cannot be reached rejects, or throws, with an error of its own; it never makes up an answer. Whoever uses
 * one states what follows then.
 */
export interface StateStore {
  /** The value; undefined where there is none, or it has expired. */
  get(key: string): Awaitable<StoredValue | undefined>;
  /**
   * Replaces the value under a key where its version is still `version`, or where there is none and `version` is
   * undefined. The value undefined removes the entry. Whether it was replaced.
   */
  compareAndSet(key: string, version: string | undefined, value: unknown, expiry?: Expiry): Awaitable<boolean>;
  /**
   * Adds to the counter under a key, which begins at 0, unless the total would be greater than `maximum`. A negative
   * amount gives back, and is always added. The counter expires `ttl` after it was begun, however often it is added to.
   */
  add(key: string, amount: number, options?: Expiry & { readonly maximum?: number }): Awaitable<Added>;
  /** Claims the key: true for the first caller, false for all others until the claim expires. */
  claim(key: string, expiry?: Expiry): Awaitable<boolean>;
  /** Removes whatever is under a key. */
  delete(key: string): Awaitable<void>;
}
