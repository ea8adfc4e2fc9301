import { definePlugin, type Invocation, type ModelRequest, type Plugin, type RuntimeContext } from "@suite/core";
import { callable, common, count, flag, oneOf } from "@suite/core/options";
import { memoryStateStore } from "@suite/core/store";
import { tellStoreFailed } from "./counts.js";
import { LimitsError } from "./errors.js";
import { checkOptions, invalid, type LimitOptions, type StoreOptions, stored } from "./options.js";
import { type Exceeded, Rates } from "./rates.js";
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
  /** The most calls that wait for a rate at once in this process. One more is refused; calls within the rate are not. Default: 1,000. */
  readonly maxWaiting?: number;
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

  const tellLimit = ({ runtime, call }: Invocation<"model">, { limit, maximum }: Omit<Exceeded, "wait">): void =>
    runtime.notify({ type: "limit", plugin: name, limit: `rate.${limit}`, maximum, enforced, call });
  const refuse = (invocation: Invocation<"model">, exceeded: Exceeded): LimitsError => {
    tellLimit(invocation, exceeded);
    return refused(exceeded);
  };

  /** Returns when a call is within the rates. Only a call beyond them waits. @throws {LimitsError} `ERR_LIMITS_RATE` */
  async function pass(key: string, invocation: Invocation<"model">): Promise<void> {
    const until = performance.now() + maxWait;
    if (!enforced || whenExceeded === "refuse") {
      const exceeded = await rates.take(key);
      if (enforced && exceeded[0] !== undefined) throw refuse(invocation, exceeded[0]);
      for (const each of exceeded) tellLimit(invocation, each);
      return;
    }
    const turn = turns.enter(key);
    try {
      let first: Exceeded | undefined;
      // Calls that wait come first: one that arrives later does not ask the store before them.
      if (!turns.hasWaiting(key)) {
        [first] = await rates.take(key);
        if (first === undefined) return;
        if (isTooLate(first, until)) throw refuse(invocation, first);
      }
      const full = { limit: "waiting", maximum: maxWaiting, wait: first?.wait ?? maxWait } as const;
      if (turns.waiting >= maxWaiting) throw refuse(invocation, full);
      if (first !== undefined) tellWait(invocation, first);
      const come = turn.wait(Math.max(0, until - performance.now()), invocation.signal);
      if (!(await come)) throw refuse(invocation, full);
      await waitFor(key, invocation, come === true ? first : undefined, first !== undefined, until);
    } finally {
      turn.end();
    }
  }

  const tellWait = ({ runtime, call }: Invocation<"model">, { limit, wait }: Exceeded): void => {
    const details = { limit, milliseconds: wait };
    runtime.notify({ type: "decision", plugin: name, decision: "wait", enforced: true, call, details });
  };

  /** Waits at the head of the queue until the call is within the rates. @param first the rate that it exceeds, if it is known. */
  async function waitFor(
    key: string,
    invocation: Invocation<"model">,
    first: Exceeded | undefined,
    isTold: boolean,
    until: number,
  ) {
    let told = isTold;
    let exceeded = first ?? (await rates.take(key))[0];
    for (; exceeded !== undefined; [exceeded] = await rates.take(key)) {
      if (isTooLate(exceeded, until)) throw refuse(invocation, exceeded);
      if (!told) tellWait(invocation, exceeded);
      told = true;
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
        if (!ofStore || tellStoreFailed(name, options, runtime, call) === "closed") throw error;
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

/** Reads a number of tokens as a server reports it, which may be anything. */
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

/** The key of a rate. Lengths keep two parts from being read as others. */
const keyOf = (name: string, tenant: string | undefined, request: ModelRequest | undefined): string =>
  [name, tenant ?? "", request === undefined ? "" : `${request.provider ?? ""}/${request.model}`]
    .map((part) => `${part.length}:${part}`)
    .join(":");
