import type { ModelRequest, RuntimeContext, StateStore } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, callable, common, count, either, listOf, name, oneOf, time } from "@suite/kit/options";
import { checkOptions, invalid, type ResilienceOptions } from "../options.js";
import { type CacheTenant, type Hash, sha256Hash } from "./key.js";

/** The options of `cache`. */
export interface CacheOptions extends ResilienceOptions {
  /**
   * The tenants that share answers. A function returns the tenant of a run; if it returns `undefined`, nothing is
   * cached. `everyone` shares answers among all. Default: the run's `userId`, otherwise its `sessionId`, within its
   * `tenantId`. Nothing is cached if a run has neither.
   */
  readonly tenant?: CacheTenant;
  /** Milliseconds until an answer expires. Default: an hour. */
  readonly ttl?: number;
  /**
   * The store of the answers, shared by all processes that use it. The store has its own size limits. Default: this
   * process's memory.
   */
  readonly store?: StateStore;
  /** The maximum number of answers in memory. Default: 1,000. */
  readonly maxEntries?: number;
  /** The maximum size of the answers in memory, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number;
  /** Selects the requests that are cached. Default: all rounds of the agent. */
  readonly when?: (request: ModelRequest, runtime: RuntimeContext) => boolean;
  /** The purposes of plugin requests (`runtime.ask`) that are cached too. Default: none. */
  readonly purposes?: readonly string[];
  /**
   * The maximum time in milliseconds to wait for the answer to an identical pending request of this process. Default:
   * 0, each request is sent, because the first one may have a slow consumer.
   */
  readonly coalesce?: number;
  /** Hashes a request for its key. Default: SHA-256. */
  readonly hash?: Hash;
  /**
   * Behavior if the store fails. `open` (default): the model is asked, and a `decision` is reported. `closed`: the
   * call fails with the store's error.
   */
  readonly onStoreError?: "open" | "closed";
}

const store: Check = (value) =>
  isObject(value) && typeof value.compareAndSet === "function" ? undefined : "a StateStore, such as memoryStateStore()";

/**
 * Checks the options. Returns them as a plain object, with the default hash function.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 */
export function checkCacheOptions(options: CacheOptions): CacheOptions & { readonly hash: Hash } {
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
      "The options maxEntries and maxBytes of cache() only apply to the cache in memory: a store has other limits.",
    );
  }
  return { ...options, hash: options.hash ?? sha256Hash() };
}
