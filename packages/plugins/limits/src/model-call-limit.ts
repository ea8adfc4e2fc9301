import { definePlugin, MiddlewareTermination, message, type Plugin } from "@suite/core";
import { common, count, name as named, oneOf } from "@suite/kit/options";
import { type CountLimits, Counts } from "./counts.js";
import { LimitsError } from "./errors.js";
import { checkOptions, invalid, type LimitOptions, stored } from "./options.js";

/** The options of `modelCallLimit`. Needs `runLimit`, `threadLimit` or both. */
export interface ModelCallLimitOptions extends LimitOptions, CountLimits {
  /** `end` (default): the run ends with a message. `error`: the run fails with `ERR_LIMITS_MODEL_CALLS`. */
  readonly exitBehavior?: "end" | "error";
  /** The last message of the run. */
  readonly message?: string;
}

/** The checks of the count options. */
export const counted = { runLimit: count, threadLimit: count, threadTtl: count, ...stored };

/** Returns the default name of a limit, made of its kind and limits. It is the same in each process. */
export const nameOf = (of: string, { runLimit, threadLimit }: CountLimits): string =>
  [of, runLimit !== undefined && `run=${runLimit}`, threadLimit !== undefined && `thread=${threadLimit}`]
    .filter((part) => part !== false)
    .join(" ");

/** @throws {LimitsError} `ERR_LIMITS_OPTION` if there is no limit, or one that can never be reached */
export function checkLimits(of: string, { runLimit, threadLimit }: CountLimits): void {
  if (runLimit === undefined && threadLimit === undefined) throw invalid(`${of}() needs a runLimit or a threadLimit.`);
  if (runLimit !== undefined && threadLimit !== undefined && runLimit > threadLimit) {
    throw invalid(`The runLimit of ${of}() is greater than its threadLimit and would never apply.`);
  }
}

/**
 * Limits the number of model calls in a run with its sub-agents, and in a conversation. All model calls count,
 * including those made by plugins. If placed inside a retry, each attempt counts; outside, the retried call counts
 * once.
 *
 * @throws {LimitsError} `ERR_LIMITS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [modelCallLimit({ runLimit: 20 })], … });
 * ```
 */
export function modelCallLimit(options: ModelCallLimitOptions): Plugin {
  options = checkOptions("modelCallLimit", options, {
    ...common,
    ...counted,
    exitBehavior: oneOf("end", "error"),
    message: named,
  });
  checkLimits("modelCallLimit", options);
  const { exitBehavior = "end", mode = "enforce", name = nameOf("model-call-limit", options) } = options;
  const enforced = mode === "enforce";
  const counts = new Counts(name, options, enforced);

  return definePlugin({
    name,
    single: true,
    inSubAgents: true,
    async model(invocation, callNext) {
      const { runtime, call } = invocation;
      const counted = counts.take(runtime, call);
      const exceeded = counted instanceof Promise ? await counted : counted;
      if (exceeded !== undefined) {
        const { per, maximum } = exceeded;
        runtime.notify({ type: "limit", plugin: name, limit: `model_calls.${per}`, maximum, enforced, call });
        if (enforced) {
          const why = options.message ?? `The limit of model calls is reached: ${maximum} per ${per}.`;
          if (exitBehavior === "end") return invocation.respond({ value: { message: message("assistant", why) } });
          throw MiddlewareTermination.mark(new LimitsError("ERR_LIMITS_MODEL_CALLS", why), "run");
        }
      }
      await callNext();
    },
  });
}
