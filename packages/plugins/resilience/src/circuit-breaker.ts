import { definePlugin, type Invocation, type ModelRequest, type Plugin, type RuntimeContext } from "@suite/core";
import { callable, common, count, time } from "@suite/kit/options";
import { Circuits } from "./circuits.js";
import { ResilienceError } from "./errors.js";
import { type ErrorFilter, errorFilter, isFinal, isOutage, matcherOf } from "./failure.js";
import { checkOptions, invalid, type ResilienceOptions } from "./options.js";

/** The options of `circuitBreaker`. Times are in milliseconds. */
export interface CircuitBreakerOptions extends ResilienceOptions {
  /** The number of failures that open the circuit. Default: 5. */
  readonly failures?: number;
  /**
   * The number of last calls in which failures are counted. Default: `failures`, so that only consecutive failures open
   * it.
   */
  readonly of?: number;
  /** The time that an open circuit refuses calls before a probe is allowed. Default: 30,000. */
  readonly openFor?: number;
  /** The errors that count as failures. Default: errors of a provider that is down or overloaded, and time-outs. */
  readonly failOn?: ErrorFilter;
  /** Returns the key of a circuit. Default: the provider and the model. */
  readonly key?: (request: ModelRequest, runtime: RuntimeContext) => string;
  /** The maximum number of circuits. The least recently used one is dropped. Default: 1,000. */
  readonly maxKeys?: number;
}

/**
 * Refuses calls to a model that has failed too often, with `ERR_RESILIENCE_CIRCUIT_OPEN`. After a while one call at a
 * time may probe; if it succeeds, the circuit closes. A stream that breaks off is a failure. An aborted call does not
 * count. The state belongs to this process and this plugin, and is shared by all its runs.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * circuitBreaker({ failures: 5, of: 20, openFor: 30_000 });
 * ```
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): Plugin {
  options = checkOptions("circuitBreaker", options, {
    ...common,
    failures: count,
    of: count,
    openFor: time,
    failOn: errorFilter,
    key: callable,
    maxKeys: count,
  });
  const { name = "circuitBreaker", mode = "enforce", failures = 5, openFor = 30_000, maxKeys = 1000 } = options;
  const { of = failures, key: keyOf = keyOfModel } = options;
  if (failures > of) throw invalid("The option failures of circuitBreaker() must not exceed its option of.");
  if (of > 10_000) throw invalid("The option of of circuitBreaker() must be 10,000 at most.");
  const isFailure = matcherOf(options.failOn, isOutage);
  const enforced = mode === "enforce";
  const circuits = new Circuits({ failures, of, openFor, maxKeys });

  type Decision = "open" | "half_open" | "closed" | "refused";
  function notify({ runtime, call, request }: Invocation<"model">, decision: Decision | undefined): void {
    if (decision === undefined) return;
    const details = { model: request.model, ...(decision === "open" && { failures, openFor }) };
    runtime.notify({ type: "decision", plugin: name, decision, enforced, call, place: "model", details });
  }

  return definePlugin({
    name,
    settings: { failures, of, openFor, mode },
    async model(invocation, callNext) {
      const key = keyOf(invocation.request, invocation.runtime);
      const entry = circuits.enter(key);
      if (entry === "half_open") notify(invocation, "half_open");
      if (typeof entry === "object") {
        notify(invocation, "refused");
        if (enforced) throw refused(entry.retryAfter);
      }
      const isProbe = entry === "half_open";
      const leave = (how: boolean | undefined): void => notify(invocation, circuits.leave(key, how, isProbe));
      try {
        await callNext();
      } catch (error) {
        leave(isFinal(error, invocation.signal) || !isFailure(error) ? undefined : false);
        throw error;
      }
      invocation.pipe({
        settle(settlement) {
          const { status } = settlement;
          if (status === "failed") leave(isFailure(settlement.error) ? false : undefined);
          else leave(status === "completed" ? true : undefined);
        },
      });
    },
  });
}

const keyOfModel = ({ provider = "", model, client }: ModelRequest): string => {
  // A client set by a fallback is a different model from the one that the request still names.
  const target = (client ?? { name: model, provider }) as { readonly name?: unknown; readonly provider?: unknown };
  return `${String(target.provider ?? "")}/${String(target.name ?? "")}`;
};

const refused = (retryAfter: number): ResilienceError =>
  new ResilienceError(
    "ERR_RESILIENCE_CIRCUIT_OPEN",
    "The model was not called because it failed too often. Retry later, or use another model.",
    { retryAfter },
  );
