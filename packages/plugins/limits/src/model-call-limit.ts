import { definePlugin, MiddlewareTermination, message, type Plugin } from "@suite/core";
import { common, count, name as named, oneOf } from "@suite/core/options";
import { type CountLimits, Counts } from "./counts.js";
import { LimitsError } from "./errors.js";
import { checkOptions, invalid, type LimitOptions, stored } from "./options.js";

/** The options of `modelCallLimit`. One of `runLimit` and `threadLimit` is needed. */
export interface ModelCallLimitOptions extends LimitOptions, CountLimits {
  /** `end`, the default: the run ends with a message that says so. `error`: it fails with `ERR_LIMITS_MODEL_CALLS`. */
  readonly exitBehavior?: "end" | "error";
  /** The message that the run ends with. */
  readonly message?: string;
}

/** The checks of the options that make a count. */
export const counted = { runLimit: count, threadLimit: count, threadTtl: count, ...stored };

/** The default name of a limit: of its kind and its limits, the same in each process. */
export const nameOf = (of: string, { runLimit, threadLimit }: CountLimits): string =>
  [of, runLimit !== undefined && `run=${runLimit}`, threadLimit !== undefined && `thread=${threadLimit}`]
    .filter((part) => part !== false)
    .join(" ");

/** @throws {LimitsError} `ERR_LIMITS_OPTION` for a limit that limits nothing. */
export function checkLimits(of: string, { runLimit, threadLimit }: CountLimits): void {
  if (runLimit === undefined && threadLimit === undefined) throw invalid(`${of}() needs a runLimit or a threadLimit.`);
  if (runLimit !== undefined && threadLimit !== undefined && runLimit > threadLimit) {
    throw invalid(`The runLimit of ${of}() is greater than its threadLimit, and would never be reached.`);
  }
}

/**
 * Limits how often models are asked: in a run with its sub-agents, and in a conversation. All model calls count, also those
 * that a plugin asks for. Inside of a retry each attempt counts, outside of it the question.
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
      const taken = counts.take(runtime, call);
      const reached = taken instanceof Promise ? await taken : taken;
      if (reached !== undefined) {
        const { per, maximum } = reached;
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
