import {
  definePlugin,
  type Invocation,
  type ModelRequest,
  type Plugin,
  type RuntimeContext,
  type StateStore,
} from "@suite/core";
import { callable, common, count, flag, oneOf } from "@suite/core/options";
import { memoryStateStore } from "@suite/core/store";
import { tellStoreFailed } from "./counts.js";
import { LimitsError } from "./errors.js";
import { checkOptions, invalid, type LimitOptions, type StoreOptions, stored } from "./options.js";
import { sleep, Turns } from "./turns.js";

/** The options of `rateLimit`. One of `minInterval`, `calls` and `tokens` is needed. Times are milliseconds. */
export interface RateLimitOptions extends LimitOptions, StoreOptions {
  /** The least time from one call to the next. */
  readonly minInterval?: number;
  /** Calls in one window at most. */
  readonly calls?: number;
  /** Tokens in one window, after which no further call begins in it. Calls that are under way may still go beyond. */
  readonly tokens?: number;
  /** The length of a window. Windows are those of the clock: of 60,000, each minute. Default: 60,000. */
  readonly window?: number;
  /** The tenant whose rate it is. Undefined: the one that all others share. */
  readonly tenant?: (runtime: RuntimeContext) => string | undefined;
  /** Whether each model has a rate of its own. Default: false. */
  readonly perModel?: boolean;
  /** `wait`, the default: the call waits, in order, for `maxWait` at most. `refuse`: it fails at once with `ERR_LIMITS_RATE`. */
  readonly whenExceeded?: "wait" | "refuse";
  /** The longest that a call waits; after that, or where it would be longer, it is refused. Default: 60,000. */
  readonly maxWait?: number;
  /** The number of calls that may wait at once in this process. One more is refused. Default: 1,000. */
  readonly maxWaiting?: number;
}

/** A rate that a call is beyond. */
interface Exceeded {
  readonly limit: "min_interval" | "calls" | "tokens" | "waiting";
  readonly maximum: number;
  /** Milliseconds until it may be tried again. */
  readonly wait: number;
}

const maxTimer = 2 ** 31 - 1;

/**
 * Limits the rate of model calls: of all, of each tenant, of each model; in this process, or with a store in all that share
 * it. A call that is refused fails with an error that says when to try again, so that a retry outside can wait for it.
 *
 * @throws {LimitsError} `ERR_LIMITS_OPTION`
 * @example
 * ```ts
 * rateLimit({ calls: 60, window: 60_000, tenant: (runtime) => runtime.userId, store });
 * ```
 */
export function rateLimit(options: RateLimitOptions): Plugin {
  checkOptions("rateLimit", options, {
    ...common,
    ...stored,
    minInterval: count,
    calls: count,
    tokens: count,
    window: count,
    tenant: callable,
    perModel: flag,
    whenExceeded: oneOf("wait", "refuse"),
    maxWait: count,
    maxWaiting: count,
  });
  const { minInterval, calls, tokens, window = 60_000, tenant, perModel = false } = options;
  if (minInterval === undefined && calls === undefined && tokens === undefined) {
    throw invalid("rateLimit() needs a minInterval, or a number of calls or tokens.");
  }
  const { whenExceeded = "wait", maxWait = 60_000, maxWaiting = 1000, mode = "enforce" } = options;
  if (Math.max(window, maxWait, minInterval ?? 0) > maxTimer)
    throw invalid("A time of rateLimit() is 24 days at most.");
  const { name = nameOf(options, window) } = options;
  const enforced = mode === "enforce";
  const rates = new Rates(options.store ?? memoryStateStore(), { minInterval, calls, tokens, window, enforced });
  const turns = new Turns();
  const oneKey = tenant === undefined && !perModel ? keyOf(name, undefined, undefined) : undefined;

  /** Waits until a call that is beyond a rate is within it. @throws {LimitsError} `ERR_LIMITS_RATE` */
  async function pass(first: Exceeded, key: string, invocation: Invocation<"model">, until: number): Promise<void> {
    const { runtime, call } = invocation;
    const tell = ({ limit, maximum }: Exceeded) =>
      runtime.notify({ type: "limit", plugin: name, limit: `rate.${limit}`, maximum, enforced, call });
    let told = false;
    for (let exceeded: Exceeded | undefined = first; exceeded !== undefined; exceeded = await rates.take(key)) {
      const { wait } = exceeded;
      if (!enforced) return tell(exceeded);
      if (whenExceeded === "refuse" || Date.now() + wait > until) {
        tell(exceeded);
        throw refused(exceeded);
      }
      const details = { limit: exceeded.limit, milliseconds: wait };
      if (!told) runtime.notify({ type: "decision", plugin: name, decision: "wait", enforced: true, call, details });
      told = true;
      await sleep(wait, invocation.signal);
    }
  }

  return definePlugin({
    name,
    single: true,
    inSubAgents: true,
    async model(invocation, callNext) {
      const { runtime, call, request } = invocation;
      const key = oneKey ?? keyOf(name, tenant?.(runtime), perModel ? request : undefined);
      const until = Date.now() + maxWait;
      const queues = enforced && whenExceeded === "wait";
      const turn = queues && turns.waiting < maxWaiting ? turns.take(key, maxWait, invocation) : undefined;
      const leave = turn instanceof Promise ? await turn : turn;
      if (queues && leave === undefined) {
        runtime.notify({ type: "limit", plugin: name, limit: "rate.waiting", maximum: maxWaiting, enforced, call });
        throw refused({ limit: "waiting", maximum: maxWaiting, wait: maxWait });
      }
      try {
        const exceeded = await rates.take(key);
        if (exceeded !== undefined) await pass(exceeded, key, invocation, until);
      } catch (error) {
        const ofStore = !LimitsError.is(error) && error !== invocation.signal.reason;
        if (!ofStore || tellStoreFailed(name, options, runtime, call) === "closed") throw error;
      } finally {
        leave?.();
      }
      await callNext();
      if (tokens === undefined) return;
      invocation.pipe({
        settle: async (settlement) => {
          const usage = settlement.status === "completed" ? settlement.final.usage : undefined;
          if (usage !== undefined) await rates.used(key, usage.inputTokens + usage.outputTokens);
        },
      });
    },
  });
}

interface RateLimits {
  readonly minInterval: number | undefined;
  readonly calls: number | undefined;
  readonly tokens: number | undefined;
  readonly window: number;
  readonly enforced: boolean;
}

/**
 * The rates of all keys, in a store. A window begins with its first call and ends when its counter expires: by the store's
 * clock, so that machines whose own clocks differ share it.
 */
class Rates {
  readonly #store: StateStore;
  readonly #limits: RateLimits;

  constructor(store: StateStore, limits: RateLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /** Takes a place for one call, unless it is beyond a rate. */
  async take(key: string): Promise<Exceeded | undefined> {
    const { minInterval, calls, tokens, window, enforced } = this.#limits;
    if (tokens !== undefined) {
      const { total, expiresIn = window } = await this.#store.add(`${key}:tokens`, 0, { ttl: window });
      if (total >= tokens) return { limit: "tokens", maximum: tokens, wait: expiresIn };
    }
    if (minInterval !== undefined) {
      const slot = { ttl: minInterval, maximum: 1 };
      const { added, expiresIn = minInterval } = await this.#store.add(`${key}:next`, 1, slot);
      if (!added) return { limit: "min_interval", maximum: minInterval, wait: expiresIn };
    }
    if (calls === undefined) return undefined;
    const maximum = enforced ? { maximum: calls } : {};
    const { added, total, expiresIn = window } = await this.#store.add(`${key}:calls`, 1, { ttl: window, ...maximum });
    return added && total <= calls ? undefined : { limit: "calls", maximum: calls, wait: expiresIn };
  }

  /** Counts the tokens of a call that has ended, in the window in which it did. */
  async used(key: string, tokens: number): Promise<void> {
    if (tokens > 0) await this.#store.add(`${key}:tokens`, tokens, { ttl: this.#limits.window });
  }
}

const refused = ({ limit, maximum, wait }: Exceeded): LimitsError =>
  new LimitsError(
    "ERR_LIMITS_RATE",
    `The rate of model calls is exceeded (${limit}: ${maximum}). Try again in ${wait} ms.`,
    {
      retryAfter: wait,
    },
  );

const nameOf = ({ minInterval, calls, tokens }: RateLimitOptions, window: number): string =>
  [
    "rate-limit",
    minInterval !== undefined && `interval=${minInterval}`,
    calls !== undefined && `calls=${calls}/${window}`,
    tokens !== undefined && `tokens=${tokens}/${window}`,
  ]
    .filter((part) => part !== false)
    .join(" ");

/** The key of a rate. Lengths keep two parts from being read as others. */
const keyOf = (name: string, tenant: string | undefined, request: ModelRequest | undefined): string =>
  [name, tenant ?? "", request === undefined ? "" : `${request.provider ?? ""}/${request.model}`]
    .map((part) => `${part.length}:${part}`)
    .join(":");
