import {
  type Awaitable,
  type CallId,
  definePlugin,
  type Invocation,
  type Plugin,
  type RuntimeContext,
  redactorOf,
  stateKey,
} from "@suite/core";
import { abortable } from "@suite/core/framework";
import { isObject } from "@suite/kit";
import { type Answers, MemoryAnswers, type StoredAnswer, StoredAnswers } from "./cache/answers.js";
import { type Flight, Flights } from "./cache/flights.js";
import { requestText, tenantOf } from "./cache/key.js";
import { type CacheOptions, checkCacheOptions } from "./cache/options.js";
import { guardInside, isAnswerOfModel, replyOf, storableAnswer, streamOf } from "./cache/worth.js";

/** The maximum number of answers per run that are stored when it completes. */
const mostAnswers = 256;
/** The maximum number of characters of answers that a suspended run keeps in its state. */
const mostCarried = 64 * 1024;

/**
 * Answers a model call from the cache if the request is the same in everything that affects the answer. Answers are
 * stored when their run has completed, so no guard has refused a stored answer. A streamed answer may serve a plain
 * call, and vice versa.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * cache({ tenant: (runtime) => runtime.userId, ttl: 10 * 60_000 });
 * ```
 */
export function cache(options: CacheOptions = {}): Plugin {
  const checked = checkCacheOptions(options);
  const { name = "cache", mode = "enforce", ttl = 60 * 60 * 1000, coalesce, onStoreError = "open" } = checked;
  const { hash, tenant, store, when, maxEntries = 1000, maxBytes = 64 * 1024 * 1024 } = checked;
  const enforced = mode === "enforce";
  const purposes: ReadonlySet<string> = new Set(checked.purposes);
  const answers: Answers =
    store === undefined ? new MemoryAnswers({ maxEntries, maxBytes, ttl }) : new StoredAnswers(store, ttl);
  const flights = coalesce === undefined || !enforced ? undefined : new Flights();
  const runAnswers = stateKey<Map<string, StoredAnswer>>(`${name}.given`, () => new Map(), {
    save: (all) => firstOf([...all]),
    load: (all) => new Map(all as [string, StoredAnswer][]),
  });

  /**
   * True if a guard has refused content in the run, for example by a replacement answer. Then no answer of the run is
   * stored.
   */
  const refused = stateKey(`${name}.refused`, () => false, { save: (is) => is, load: Boolean });

  const notify = (runtime: RuntimeContext, call: CallId | undefined, decision: string, more: object = {}): void =>
    runtime.notify({ type: "decision", plugin: name, decision, enforced, ...(call && { call }), ...more });

  /** Reports that the store failed, and rethrows its error if `onStoreError` is `closed`. */
  const storeFailed = (runtime: RuntimeContext, call: CallId | undefined, error: unknown): void => {
    notify(runtime, call, `fail_${onStoreError}`, { enforced: true, place: "store", reason: "the store failed" });
    if (onStoreError === "closed") throw error;
  };

  /** Returns the key of a request, or `undefined` if it is not cached or cannot be identified. */
  async function keyFor({ request, runtime, call }: Invocation<"model">): Promise<string | undefined> {
    if (request.purpose !== undefined && !purposes.has(request.purpose)) return undefined;
    if (when?.(request, runtime) === false) return undefined;
    const tenantId = tenantOf(runtime, tenant);
    const text = tenantId === undefined ? undefined : requestText(tenantId, request);
    if (text !== undefined) return `${name}:${enforced ? "" : "monitor:"}${await hash(text)}`;
    const reason = tenantId === undefined ? "the user of this answer is not known" : "the request cannot be identified";
    notify(runtime, call, "bypass", { reason });
    return undefined;
  }

  async function lookUp(key: string, invocation: Invocation<"model">): Promise<StoredAnswer | undefined> {
    try {
      const found = answers.get(key);
      return isPromise(found) ? await abortable(found, invocation.signal) : found;
    } catch (error) {
      if (invocation.signal.aborted) throw error;
      storeFailed(invocation.runtime, invocation.call, error);
      return undefined;
    }
  }

  /** Answers with the stored answer. */
  function hit(invocation: Invocation<"model">, stored: StoredAnswer, shared: boolean): void {
    const { runtime, call, request } = invocation;
    const { inputTokens = 0, outputTokens = 0 } = stored.usage ?? {};
    const details = {
      age: Date.now() - stored.at,
      inputTokensSaved: inputTokens,
      outputTokensSaved: outputTokens,
      shared,
    };
    notify(runtime, call, "hit", { details });
    if (!enforced) return;
    const reply = replyOf(stored);
    invocation.respond(request.stream === true ? { stream: streamOf(reply) } : { value: reply });
  }

  /** Asks the model, and records its answer in the run. */
  async function askModel(invocation: Invocation<"model">, callNext: () => Promise<void>, key: string): Promise<void> {
    let flight: Flight | undefined;
    try {
      flight = flights?.begin(key, invocation.signal);
      await callNext();
      if (!isAnswerOfModel(invocation)) return flight?.end(undefined);
    } catch (error) {
      flight?.end(undefined);
      throw error;
    }
    const { runtime, request } = invocation;
    if (guardInside(runtime, name)) {
      notify(runtime, invocation.call, "bypass", { reason: "a guard is placed inside the cache: place it outside" });
      return flight?.end(undefined);
    }
    invocation.pipe({
      settle(settlement) {
        const completed = settlement.status === "completed";
        const stored = completed ? storableAnswer(settlement.final, request, redactorOf(runtime)) : undefined;
        flight?.end(stored);
        if (stored === undefined) return;
        const all = runtime.get(runAnswers);
        // In monitor mode only the existence of an answer is recorded, not its content.
        const entry = enforced ? stored : { ...stored, message: { ...stored.message, parts: [] } };
        if (all.size < mostAnswers) all.set(key, entry);
      },
    });
  }

  /**
   * Stores the answers of a completed run. A store failure is reported in both fail modes and does not fail the run.
   */
  async function keep(runtime: RuntimeContext, all: ReadonlyMap<string, StoredAnswer>): Promise<void> {
    const keeping = await Promise.allSettled(Array.from(all, async ([key, answer]) => answers.put(key, answer)));
    if (keeping.every(({ status }) => status === "fulfilled")) return;
    notify(runtime, undefined, "fail_open", { enforced: true, place: "store", reason: "the store failed" });
  }

  return definePlugin({
    name,
    settings: {
      mode,
      ttl,
      shared: tenant === undefined ? "user" : tenant === "everyone" ? tenant : "tenant",
      onStoreError,
    },
    async model(invocation, callNext) {
      const key = await keyFor(invocation);
      if (key === undefined) return callNext();
      const found = await lookUp(key, invocation);
      if (found !== undefined) {
        hit(invocation, found, false);
        return enforced ? undefined : callNext();
      }
      const joined = coalesce === undefined ? undefined : flights?.join(key, coalesce, invocation.signal);
      const shared = joined && (await joined);
      if (shared !== undefined) return hit(invocation, shared, true);
      await askModel(invocation, callNext, key);
    },
    end(runtime, { status }) {
      const all = runtime.get(runAnswers);
      const mayStore = status === "completed" && all.size > 0 && !runtime.get(refused);
      return mayStore ? keep(runtime, all) : undefined;
    },
    whereOffered: ["observe"],
    observe(notification, runtime) {
      if (notification.type === "guardrail" && notification.decision === "block" && notification.enforced)
        runtime.set(refused, true);
    },
  });
}

/** Returns the first answers that fit into the state of a suspended run, so that its size is bounded. */
function firstOf(all: readonly (readonly [string, StoredAnswer])[]): unknown {
  let remaining = mostCarried;
  return all.filter((each) => {
    remaining -= JSON.stringify(each).length;
    return remaining >= 0;
  });
}

const isPromise = <T>(value: Awaitable<T>): value is PromiseLike<T> =>
  isObject(value) && typeof value.then === "function";
