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
import { amount, callable, common, count, name as named, oneOf } from "@suite/core/options";
import { memoryStateStore } from "@suite/core/store";
import { tellStoreFailed } from "./counts.js";
import { LimitsError } from "./errors.js";
import { giveBack } from "./give-back.js";
import { checkOptions, invalid, type LimitOptions, type StoreOptions, stored } from "./options.js";
import { costOf, type ModelPrice, mostInputTokens, scale, worstCost } from "./prices.js";

/** The options of `costBudget`. */
export interface CostBudgetOptions extends LimitOptions, StoreOptions {
  /** The sum that may be spent, in the currency of the prices. */
  readonly budget: number;
  /** The prices by model name, or a function that knows them. */
  readonly prices: Readonly<Record<string, ModelPrice>> | ((request: ModelRequest) => ModelPrice | undefined);
  /** The scope of the budget: one run with its sub-agents, one conversation, or one day. Left out, where there is a `tenant`: for ever. */
  readonly per?: "run" | "session" | "day";
  /** The time zone in which a day begins, such as `Europe/Berlin`. Default: UTC. The same in all processes that share a store. */
  readonly timeZone?: string;
  /** The tenant whose budget it is. Undefined: the one that all others share. */
  readonly tenant?: (runtime: RuntimeContext) => string | undefined;
  /** The most input tokens that a request may have. Default: its bytes, which are several times as many as its tokens. */
  readonly countTokens?: (request: ModelRequest) => number;
  /** `end`, the default: the run ends with a message that says so. `error`: it fails with `ERR_LIMITS_COST`. */
  readonly exitBehavior?: "end" | "error";
  /** The message that the run ends with. */
  readonly message?: string;
}

const week = 7 * 24 * 60 * 60 * 1000;

/**
 * Limits what model calls cost. The most that a call may cost is reserved before it, and what it did not use is given back
 * when it has ended: a budget is never overspent, however many calls and processes share it. A call that failed before its
 * answer began costs nothing; one that broke off, or that does not say what it used, all that was reserved.
 *
 * A budget belongs inside of retries, fallbacks and caches: each request that is sent is then paid for by itself.
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
  if (!Number.isSafeInteger(maximum)) throw invalid("The budget of costBudget() is a number up to nine million.");
  if (prices === undefined) throw invalid("costBudget() needs prices.");
  const { countTokens = mostInputTokens, mode = "enforce", store = memoryStateStore() } = options;
  const { name = `cost-budget ${budget}${per === undefined ? "" : ` per ${per}`}` } = options;
  const enforced = mode === "enforce";
  const dayOf = daysIn(options.timeZone);
  const priceOf = typeof prices === "function" ? prices : ({ model }: ModelRequest) => own(prices, model);

  const keyFor = (whose: string, part: string): string => `${name}:${whose.length}:${whose}:${part}`;
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
        const why = "costBudget() has no price for the model that is asked: name it in `prices`.";
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
        if (LimitsError.is(error) || tellStoreFailed(name, options, runtime, call) === "closed") throw error;
        return callNext(); // it passes, and nothing was reserved
      }
      let began = false;
      const settle = async (settlement: Settlement<Reply>): Promise<void> => {
        const asked = invocation.reached;
        const usage = settlement.status === "completed" ? settlement.final.usage : undefined;
        const spent = (usage && costOf(usage, (asked && priceOf(asked)) ?? price)) ?? reserved;
        // Nobody was asked, as by a cache further in; or it failed before an answer began.
        const unspent = asked === undefined || (settlement.status === "failed" && !began);
        try {
          await giveBack(store, key, reserved - (unspent ? 0 : spent), ttl);
        } catch {
          // What was reserved stays counted: too much, never too little. The call's own end is as it was.
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
      // What a run has spent is asked for no more, unless it goes on.
      if (per === "run" && tenant === undefined && runtime.parent === undefined && status !== "suspended") {
        await store.delete(keyOf(runtime));
      }
    },
    ...(tenant !== undefined && {
      /** Erases the budget of a user, if the user is the tenant. What is kept per session or run expires in a week. */
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

/** Returns a function that gives the date of a time, such as `2026-11-28`. @throws {RangeError} for an unknown time zone. */
function daysIn(timeZone: string | undefined): (time: number) => string {
  if (timeZone === undefined) return (time) => new Date(time).toISOString().slice(0, 10);
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (time) => format.format(time);
}

/** The days whose budgets have not expired, and tomorrow: clocks differ. By half days, since some days have 23 hours. */
const lastDays = (dayOf: (time: number) => string): ReadonlySet<string> =>
  new Set(Array.from({ length: 20 }, (_, index) => dayOf(Date.now() + (2 - index) * 12 * 60 * 60 * 1000)));

const own = (prices: Readonly<Record<string, ModelPrice>>, model: string): ModelPrice | undefined =>
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
