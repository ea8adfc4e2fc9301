import type { Added, Expiry, StateStore, StoredValue } from "../contract/store.js";
import { CoreError } from "../errors.js";
import { checkAmount, checkTtl, otherKind, overflow } from "./check.js";

export interface MemoryStoreOptions {
  /** The most entries that are kept, 100,000 by default. One more is refused: none that lives is dropped. */
  readonly maxEntries?: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

interface Entry {
  /** JSON text, so that nobody changes a stored value from outside; undefined for counters and claims. */
  readonly json?: string;
  readonly total?: number;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * A `StateStore` in this process's memory. What it holds is gone with the process, and no other process sees it.
 *
 * @throws {CoreError} `ERR_STORE_FULL` from an operation that would need one more entry than `maxEntries`.
 * @example
 * ```ts
 * const store = memoryStateStore();
 * const { added } = await store.add("calls:tenant-1", 1, { maximum: 100, ttl: 60_000 });
 * ```
 */
export function memoryStateStore({ maxEntries = 100_000, now = Date.now }: MemoryStoreOptions = {}): StateStore {
  const entries = new Map<string, Entry>();
  let version = 0;

  const living = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.until > now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const put = (key: string, entry: Omit<Entry, "version">): void => {
    if (!entries.has(key) && entries.size >= maxEntries) sweep();
    entries.set(key, { ...entry, version: ++version });
  };
  const sweep = (): void => {
    const time = now();
    for (const [key, { until }] of entries) if (until <= time) entries.delete(key);
    if (entries.size < maxEntries) return;
    throw new CoreError(
      "ERR_STORE_FULL",
      `The memory store is full: ${maxEntries} entries live. Give its users a ttl, raise maxEntries, or use a store outside of the process.`,
    );
  };
  const left = (until: number) => (until === Number.POSITIVE_INFINITY ? {} : { expiresIn: until - now() });
  const end = (expiry: Expiry | undefined): number => {
    const ttl = checkTtl(expiry);
    return ttl === undefined ? Number.POSITIVE_INFINITY : now() + ttl;
  };

  return {
    get(key): StoredValue | undefined {
      const entry = living(key);
      if (entry === undefined) return undefined;
      if (entry.json === undefined) throw otherKind();
      return { value: JSON.parse(entry.json), version: `${entry.version}` };
    },
    compareAndSet(key, expected, value, expiry) {
      const until = end(expiry);
      const entry = living(key);
      if ((entry && `${entry.version}`) !== expected) return false;
      const json = JSON.stringify(value);
      if (json === undefined) entries.delete(key);
      else put(key, { json, until });
      return true;
    },
    add(key, amount, options = {}): Added {
      checkAmount(amount, options.maximum);
      const until = end(options);
      const entry = living(key);
      if (entry !== undefined && entry.total === undefined) throw otherKind();
      const before = entry?.total ?? 0;
      const total = before + amount;
      if (amount > 0 && options.maximum !== undefined && total > options.maximum)
        return { added: false, total: before, ...(entry && left(entry.until)) };
      if (!Number.isSafeInteger(total)) throw overflow();
      const expires = entry?.until ?? until;
      put(key, { total, until: expires });
      return { added: true, total, ...left(expires) };
    },
    claim(key, expiry) {
      const until = end(expiry);
      if (living(key) !== undefined) return false;
      put(key, { until });
      return true;
    },
    delete(key) {
      entries.delete(key);
    },
  };
}
