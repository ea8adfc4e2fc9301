import { definePlugin, type Invocation, type ModelRequest, type Plugin, type RuntimeContext } from "@suite/core";
import { callable, common, count, flag, oneOf } from "@suite/kit/options";
import { memoryStateStore } from "@suite/kit/store";
import { sleep } from "@suite/kit/time";
import { notifyStoreFailed } from "./counts.js";
import { LimitsError } from "./errors.js";
import { checkOptions, invalid, type LimitOptions, type StoreOptions, stored } from "./options.js";
import { type Exceeded, Rates } from "./rates.js";
import { Turns } from "./turns.js";

/** The options of `rateLimit`. Needs at least one of `minInterval`, `calls` and `tokens`. Times are in milliseconds. */
export interface RateLimitOptions extends LimitOptions, StoreOptions {
  /** The minimum time between two calls. */
  readonly minInterval?: number;
  /** The maximum number of calls in one window. */
  readonly calls?: number;
  /** The number of tokens in one window after which no further call begins in it. Running calls may exceed it. */
  readonly tokens?: number;
  /** The length of a window. A window begins with its first call. Default: 60,000. */
  readonly window?: number;
  /** Returns the tenant whose rate applies. All runs without a tenant share one rate. */
  readonly tenant?: (runtime: RuntimeContext) => string | undefined;
  /** Counts each model separately. Default: false. */
  readonly perModel?: boolean;
  /**
   * `wait` (default): the call waits in order, for at most `maxWait`. `refuse`: it fails at once with
   * `ERR_LIMITS_RATE`.
   */
  readonly whenExceeded?: "wait" | "refuse";
  /** The maximum wait of a call. A call that would have to wait longer is refused. Default: 60,000. */
  readonly maxWait?: number;
  /**
   * The maximum number of calls in this process that wait at once. Further calls beyond the rate are refused. Default:
   * 1,000.
   */
  readonly maxWaiting?: number;
}

const maxTimer = 2 ** 31 - 1;

/**
 * Limits the rate of model calls: overall, per tenant, or per model. Counts in this process, or across processes with a
 * shared store. A refused call fails with an error that contains `retryAfter`, so that an outer retry can wait for it.
 *
 * @throws {LimitsError} `ERR_LIMITS_OPTION`
 * @example
 * ```ts
 * rateLimit({ calls: 60, window: 60_000, tenant: (runtime) => runtime.userId, store });
 * ```
 */
export function rateLimit(options: RateLimitOptions): Plugin {
  options = checkOptions("rateLimit", options, {
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
    throw invalid("rateLimit() needs minInterval, or a limit of calls or tokens.");
  }
  const { whenExceeded = "wait", maxWait = 60_000, maxWaiting = 1000, mode = "enforce" } = options;
  if (Math.max(window, maxWait, minInterval ?? 0) > maxTimer)
    throw invalid("A time of rateLimit() must be at most 24 days.");
  const { name = nameOf(options, window) } = options;
  const enforced = mode === "enforce";
  const rates = new Rates(options.store ?? memoryStateStore(), { minInterval, calls, tokens, window, enforced });
  const turns = new Turns();
  const oneKey = tenant === undefined && !perModel ? keyOf(name, undefined, undefined) : undefined;

  const notifyLimit = ({ runtime, call }: Invocation<"model">, { limit, maximum }: Omit<Exceeded, "wait">): void =>
    runtime.notify({ type: "limit", plugin: name, limit: `rate.${limit}`, maximum, enforced, call });
  const refuse = (invocation: Invocation<"model">, exceeded: Exceeded): LimitsError => {
    notifyLimit(invocation, exceeded);
    return refused(exceeded);
  };

  /**
   * Returns when a call is within the rates. Only a call that exceeds them waits.
   * @throws {LimitsError} `ERR_LIMITS_RATE`
   */
  async function pass(key: string, invocation: Invocation<"model">): Promise<void> {
    const until = performance.now() + maxWait;
    if (!enforced || whenExceeded === "refuse") {
      const exceeded = await rates.take(key);
      if (enforced && exceeded[0] !== undefined) throw refuse(invocation, exceeded[0]);
      for (const each of exceeded) notifyLimit(invocation, each);
      return;
    }
    const turn = turns.enter(key);
    try {
      let first: Exceeded | undefined;
      // Waiting calls come first: a later call does not query the store before them.
      if (!turns.hasWaiting(key)) {
        [first] = await rates.take(key);
        if (first === undefined) return;
        if (isTooLate(first, until)) throw refuse(invocation, first);
      }
      const full = { limit: "waiting", maximum: maxWaiting, wait: first?.wait ?? maxWait } as const;
      if (turns.waiting >= maxWaiting) throw refuse(invocation, full);
      if (first !== undefined) notifyWait(invocation, first);
      const waited = turn.wait(Math.max(0, until - performance.now()), invocation.signal);
      if (!(await waited)) throw refuse(invocation, full);
      await waitFor(key, invocation, waited === true ? first : undefined, first !== undefined, until);
    } finally {
      turn.end();
    }
  }

  const notifyWait = ({ runtime, call }: Invocation<"model">, { limit, wait }: Exceeded): void => {
    const details = { limit, milliseconds: wait };
    runtime.notify({ type: "decision", plugin: name, decision: "wait", enforced: true, call, details });
  };

  /**
   * Waits at the head of the queue until the call is within the rates.
   * @param first the rate that the call exceeds, if known
   */
  async function waitFor(
    key: string,
    invocation: Invocation<"model">,
    first: Exceeded | undefined,
    isNotified: boolean,
    until: number,
  ) {
    let notified = isNotified;
    let exceeded = first ?? (await rates.take(key))[0];
    for (; exceeded !== undefined; [exceeded] = await rates.take(key)) {
      if (isTooLate(exceeded, until)) throw refuse(invocation, exceeded);
      if (!notified) notifyWait(invocation, exceeded);
      notified = true;
      await sleep(exceeded.wait, invocation.signal);
    }
  }

  return definePlugin({
    name,
    single: true,
    inSubAgents: true,
    async model(invocation, callNext) {
      const { runtime, call, request } = invocation;
      const key = oneKey ?? keyOf(name, tenant?.(runtime), perModel ? request : undefined);
      try {
        await pass(key, invocation);
      } catch (error) {
        const ofStore = !LimitsError.is(error) && error !== invocation.signal.reason;
        if (!ofStore || notifyStoreFailed(name, options, runtime, call) === "closed") throw error;
      }
      await callNext();
      if (tokens === undefined) return;
      invocation.pipe({
        settle: async (settlement) => {
          const usage = settlement.status === "completed" ? settlement.final.usage : undefined;
          await rates.used(key, countIn(usage?.inputTokens) + countIn(usage?.outputTokens));
        },
      });
    },
  });
}

/** Normalizes a token count. Servers may report any value. */
const countIn = (value: unknown): number =>
  typeof value === "number" && value > 0 && value < 1e12 ? Math.ceil(value) : 0;

const refused = ({ limit, maximum, wait }: Exceeded): LimitsError =>
  new LimitsError(
    "ERR_LIMITS_RATE",
    `The rate of model calls is exceeded (${limit}: ${maximum}). Try again in ${wait} ms.`,
    {
      retryAfter: wait,
    },
  );

const isTooLate = ({ wait }: Exceeded, until: number): boolean => performance.now() + wait > until;

const nameOf = ({ minInterval, calls, tokens }: RateLimitOptions, window: number): string =>
  [
    "rate-limit",
    minInterval !== undefined && `interval=${minInterval}`,
    calls !== undefined && `calls=${calls}/${window}`,
    tokens !== undefined && `tokens=${tokens}/${window}`,
  ]
    .filter((part) => part !== false)
    .join(" ");

/**
 * Returns the key of a rate. Each part is prefixed with its length, so that different parts never form the same key.
 */
const keyOf = (name: string, tenant: string | undefined, request: ModelRequest | undefined): string =>
  [name, tenant ?? "", request === undefined ? "" : `${request.provider ?? ""}/${request.model}`]
    .map((part) => `${part.length}:${part}`)
    .join(":");
