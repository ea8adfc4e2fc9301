import { CoreError, type StateStore } from "@suite/core";
import type { Added, Expiry, StoredValue } from "@suite/core/contract";
import { type CheckOptions, callable, count, optionsChecker } from "@suite/core/internal";
import { checkAmount, checkTtl, otherKind, overflow } from "./check.js";

/** The options of `memoryStateStore`. */
export interface MemoryStoreOptions {
  /** The maximum number of entries. Default: 100,000. A further entry is rejected: live entries are never dropped. */
  readonly maxEntries?: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
}

interface Entry {
  /** A JSON string, so that a caller cannot change a stored value. `undefined` for counters and claims. */
  readonly json?: string;
  total?: number;
  version: number;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const checkOptions: CheckOptions = optionsChecker((message) => new CoreError("ERR_INVALID_OPTION", message));

/**
 * Creates a `StateStore` in the memory of this process. Its content is lost when the process ends, and other processes
 * do not see it.
 *
 * @throws {CoreError} `ERR_INVALID_OPTION`; `ERR_STORE_FULL` from an operation that would exceed `maxEntries`.
 * @example
 * ```ts
 * const store = memoryStateStore();
 * const { added } = await store.add("calls:tenant-1", 1, { maximum: 100, ttl: 60_000 });
 * ```
 */
export function memoryStateStore(options: MemoryStoreOptions = {}): StateStore {
  const { maxEntries = 100_000, now = Date.now } = checkOptions("memoryStateStore", options, {
    maxEntries: count,
    now: callable,
  });
  const entries = new Map<string, Entry>();
  let version = 0;

  const living = (key: string, time = now()): Entry | undefined => {
    const entry = entries.get(key);
    if (entry === undefined || entry.until > time) return entry;
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
      `The memory store is full (${maxEntries} entries). Set a ttl on entries, raise maxEntries, or use another store.`,
    );
  };
  const result = (added: boolean, total: number, until: number, time: number): Added =>
    until === Number.POSITIVE_INFINITY ? { added, total } : { added, total, expiresIn: until - time };
  const end = (expiry: Expiry | undefined, time = now()): number => {
    const ttl = checkTtl(expiry);
    return ttl === undefined ? Number.POSITIVE_INFINITY : time + ttl;
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
      const time = now(); // read only once: it is the most expensive part of counting
      const until = end(options, time);
      const entry = living(key, time);
      if (entry !== undefined && entry.total === undefined) throw otherKind();
      const before = entry?.total ?? 0;
      const total = before + amount;
      if (amount > 0 && options.maximum !== undefined && total > options.maximum)
        return result(false, before, entry?.until ?? Number.POSITIVE_INFINITY, time);
      if (!Number.isSafeInteger(total)) throw overflow();
      if (entry === undefined) put(key, { total, until });
      else {
        entry.total = total;
        entry.version = ++version;
      }
      return result(true, total, entry?.until ?? until, time);
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
