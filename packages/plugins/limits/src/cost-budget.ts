import {
  definePlugin,
  MiddlewareTermination,
  type ModelRequest,
  message,
  outermost,
  type Plugin,
  type Reply,
  type RuntimeContext,
  type Settlement,
} from "@suite/core";
import { amount, callable, common, count, name as named, oneOf } from "@suite/kit/options";
import { memoryStateStore } from "@suite/kit/store";
import { notifyStoreFailed } from "./counts.js";
import { LimitsError } from "./errors.js";
import { giveBack } from "./give-back.js";
import { checkOptions, invalid, type LimitOptions, type StoreOptions, stored } from "./options.js";
import { costOf, type ModelPrice, mostInputTokens, scale, worstCost } from "./prices.js";

/** The options of `costBudget`. */
export interface CostBudgetOptions extends LimitOptions, StoreOptions {
  /** The maximum amount to spend, in the currency of the prices. */
  readonly budget: number;
  /** The prices by model name, exactly as in the request, or a function that returns them. */
  readonly prices: Readonly<Record<string, ModelPrice>> | ((request: ModelRequest) => ModelPrice | undefined);
  /**
   * The scope of the budget: one run with its sub-agents, one conversation, or one day. Default: `run`; if `tenant` is
   * set, the budget never resets.
   */
  readonly per?: "run" | "session" | "day";
  /**
   * The time zone of a day, such as `Europe/Berlin`. Default: UTC. Must be the same in all processes that
   * share a store.
   */
  readonly timeZone?: string;
  /** Returns the tenant that pays. All runs without a tenant share one budget. */
  readonly tenant?: (runtime: RuntimeContext) => string | undefined;
  /**
   * Returns an upper bound of the request's input tokens. Default: its size in bytes, several times the number of
   * tokens.
   */
  readonly countTokens?: (request: ModelRequest) => number;
  /** `end` (default): the run ends with a message. `error`: the run fails with `ERR_LIMITS_COST`. */
  readonly exitBehavior?: "end" | "error";
  /** The last message of the run. */
  readonly message?: string;
}

const week = 7 * 24 * 60 * 60 * 1000;

/**
 * Limits the cost of model calls. The highest possible cost of a call is reserved before the call, and the unused part
 * is released when the call has ended. So the budget is never exceeded, however many calls and processes share it. A
 * call that fails before its response begins costs nothing. A call that breaks off, or that reports no usage, costs the
 * whole reservation.
 *
 * Place it inside retries, fallbacks and caches, so that each request that is sent is counted.
 *
 * @throws {LimitsError} `ERR_LIMITS_OPTION`
 * @example
 * ```ts
 * costBudget({ budget: 5, per: "day", tenant: (runtime) => runtime.userId, prices, store });
 * ```
 */
export function costBudget(options: CostBudgetOptions): Plugin {
  options = checkOptions("costBudget", options, {
    ...common,
    ...stored,
    budget: amount,
    prices: (value) => (typeof value === "function" || isPrices(value) ? undefined : "prices by model, or a function"),
    per: oneOf("run", "session", "day"),
    timeZone: (value) => (isTimeZone(value) ? undefined : "a time zone of the IANA database, such as Europe/Berlin"),
    tenant: callable,
    countTokens: callable,
    exitBehavior: oneOf("end", "error"),
    message: named,
  });
  const {
    budget,
    prices,
    per = options.tenant === undefined ? "run" : undefined,
    tenant,
    exitBehavior = "end",
  } = options;
  const maximum = Math.floor((budget ?? Number.NaN) * scale);
  if (!Number.isSafeInteger(maximum))
    throw invalid("The budget of costBudget() must be a number of at most nine million.");
  if (prices === undefined) throw invalid("costBudget() needs prices.");
  const { countTokens = mostInputTokens, mode = "enforce", store = memoryStateStore() } = options;
  const { name = `cost-budget ${budget}${per === undefined ? "" : ` per ${per}`}` } = options;
  const enforced = mode === "enforce";
  const dayOf = daysIn(options.timeZone);
  const priceOf = typeof prices === "function" ? prices : ({ model }: ModelRequest) => priceIn(prices, model);

  const keyFor = (owner: string, part: string): string => `${name}:${owner.length}:${owner}:${part}`;
  const keyOf = (runtime: RuntimeContext): string => {
    const root = outermost(runtime);
    const part =
      per === "run"
        ? root.runId
        : per === "session"
          ? (root.sessionId ?? root.runId)
          : per === "day"
            ? dayOf(Date.now())
            : "";
    return keyFor(tenant?.(runtime) ?? "", part);
  };

  return definePlugin({
    name,
    single: true,
    inSubAgents: true,
    async model(invocation, callNext) {
      const { runtime, call, request } = invocation;
      const price = priceOf(request);
      if (price === undefined) {
        runtime.notify({ type: "decision", plugin: name, decision: "no_price", enforced, call });
        if (!enforced) return callNext();
        const why = "costBudget() has no price for the requested model: add it to `prices`.";
        throw MiddlewareTermination.mark(new LimitsError("ERR_LIMITS_NO_PRICE", why), "run");
      }
      const reserved = worstCost(request, price, countTokens(request));
      const key = keyOf(runtime);
      const ttl = per === undefined ? {} : { ttl: week };
      try {
        const { added, total } = await store.add(key, reserved, { ...ttl, ...(enforced && { maximum }) });
        if (!added || total > maximum) {
          const details = { budget, reserve: reserved / scale };
          runtime.notify({
            type: "limit",
            plugin: name,
            limit: `cost.${per ?? "tenant"}`,
            maximum: budget,
            enforced,
            call,
            details,
          });
          if (!added) {
            const why = options.message ?? "The cost budget does not allow for another model call.";
            if (exitBehavior === "end") return invocation.respond({ value: { message: message("assistant", why) } });
            throw MiddlewareTermination.mark(new LimitsError("ERR_LIMITS_COST", why), "run");
          }
        }
      } catch (error) {
        if (LimitsError.is(error) || notifyStoreFailed(name, options, runtime, call) === "closed") throw error;
        return callNext(); // nothing was reserved
      }
      let began = false;
      const settle = async (settlement: Settlement<Reply>): Promise<void> => {
        const sentRequest = invocation.reached;
        const usage = settlement.status === "completed" ? settlement.final.usage : undefined;
        const spent = (usage && costOf(usage, (sentRequest && priceOf(sentRequest)) ?? price)) ?? reserved;
        // No request was sent (a cache answered, for example), or the call failed before its response began.
        const unspent = sentRequest === undefined || (settlement.status === "failed" && !began);
        try {
          await giveBack(store, key, reserved - (unspent ? 0 : spent), ttl);
        } catch {
          // The reservation stays counted: the total may be too high, never too low. The call's outcome does not
          // change.
          const reason = "the store failed";
          const decision = "reservation_kept";
          runtime.notify({ type: "decision", plugin: name, decision, enforced: true, call, place: "store", reason });
        }
      };
      try {
        await callNext();
      } catch (error) {
        await settle({ status: "failed", error });
        throw error;
      }
      invocation.pipe({
        chunk(delta, emit) {
          began = true;
          emit(delta);
        },
        settle,
      });
    },
    async end(runtime, { status }) {
      // The total of a finished run is not needed any more; a suspended run may resume.
      if (per === "run" && tenant === undefined && runtime.parent === undefined && status !== "suspended") {
        await store.delete(keyOf(runtime));
      }
    },
    ...(tenant !== undefined && {
      /** Erases the budget of a user, if the user is the tenant. Budgets per session or run expire after a week. */
      async forgetUser(user: string): Promise<undefined> {
        if (tenant({ userId: user } as RuntimeContext) !== user) return;
        const parts = per === "day" ? lastDays(dayOf) : [""];
        for (const part of parts) await store.delete(keyFor(user, part));
      },
    }),
  });
}

const isTimeZone = (value: unknown): boolean => {
  try {
    return typeof value === "string" && daysIn(value) !== undefined;
  } catch {
    return false;
  }
};

/**
 * Returns a function that converts a time to a date, such as `2026-11-28`.
 * @throws {RangeError} for an unknown time zone
 */
function daysIn(timeZone: string | undefined): (time: number) => string {
  if (timeZone === undefined) return (time) => new Date(time).toISOString().slice(0, 10);
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (time) => format.format(time);
}

/**
 * The days whose budgets have not expired, and tomorrow, because clocks differ. Steps by half days, since some days
 * have 23 hours.
 */
const lastDays = (dayOf: (time: number) => string): ReadonlySet<string> =>
  new Set(Array.from({ length: 20 }, (_, index) => dayOf(Date.now() + (2 - index) * 12 * 60 * 60 * 1000)));

const priceIn = (prices: Readonly<Record<string, ModelPrice>>, model: string): ModelPrice | undefined =>
  Object.hasOwn(prices, model) ? prices[model] : undefined;

const isPrices = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every(
    (price) =>
      typeof price === "object" &&
      price !== null &&
      [price.input, price.output, price.cacheRead ?? 0, price.cacheCreation ?? 0].every(
        (each) => amount(each) === undefined,
      ) &&
      count(price.maxOutputTokens) === undefined,
  );
