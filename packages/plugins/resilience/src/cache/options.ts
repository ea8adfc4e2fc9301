import type { ModelRequest, RuntimeContext, StateStore } from "@suite/core";
import { type Check, callable, common, count, either, isObject, listOf, name, oneOf, time } from "@suite/core/options";
import { checkOptions, invalid, type ResilienceOptions } from "../options.js";
import { type CacheTenant, type Hash, sha256Hash } from "./key.js";

/** The options of `cache`. */
export interface CacheOptions extends ResilienceOptions {
  /**
   * The tenants among whom answers are shared: a function names the tenant of a run (undefined: nothing is cached), `everyone`
   * shares them among all. Default: the run's `userId`, else its `sessionId`, within its `tenantId`. Nothing is cached if a run has neither.
   */
  readonly tenant?: CacheTenant;
  /** Milliseconds for which an answer is kept. Default: an hour. */
  readonly ttl?: number;
  /** The store of the answers, common to all processes that share it, with its own bounds. Default: this process's memory. */
  readonly store?: StateStore;
  /** Answers in memory at most. Default: 1,000. */
  readonly maxEntries?: number;
  /** Bytes of answers in memory at most. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** The requests that are meant. Default: all rounds of the agent. */
  readonly when?: (request: ModelRequest, runtime: RuntimeContext) => boolean;
  /** The purposes for which plugins ask a model (`runtime.ask`) that are cached too. Default: none. */
  readonly purposes?: readonly string[];
  /**
   * Milliseconds for which a request waits at most for the answer to the same one, where this process is asking it already.
   * Default: 0, each asks by itself, since the first may have a slow reader.
   */
  readonly coalesce?: number;
  /** Hashes the text of a request, for its key. Default: SHA-256. */
  readonly hash?: Hash;
  /** The fail mode, where the store fails. `open`, the default: the model is asked, and a `decision` tells it. `closed`: the call fails with the store's error. */
  readonly onStoreError?: "open" | "closed";
}

const store: Check = (value) =>
  isObject(value) && typeof value.compareAndSet === "function"
    ? undefined
    : "a StateStore, as memoryStateStore() makes one";

/**
 * The function that hashes, once all options were found to mean something.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 */
export function checkCacheOptions(options: CacheOptions): Hash {
  options = checkOptions("cache", options, {
    ...common,
    tenant: either(oneOf("everyone"), callable),
    ttl: count,
    store,
    maxEntries: count,
    maxBytes: count,
    when: callable,
    purposes: listOf(name),
    coalesce: time,
    hash: callable,
    onStoreError: oneOf("open", "closed"),
  });
  if (options.store !== undefined && (options.maxEntries ?? options.maxBytes) !== undefined) {
    throw invalid(
      "The options maxEntries and maxBytes of cache() are of answers in memory: a store has its own bounds.",
    );
  }
  return options.hash ?? sha256Hash();
}
