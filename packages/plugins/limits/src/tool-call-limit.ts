import { definePlugin, MiddlewareTermination, message, type Plugin, treeKey } from "@suite/core";
import { common, name as named, oneOf } from "@suite/kit/options";
import { type CountLimits, Counts } from "./counts.js";
import { LimitsError } from "./errors.js";
import { checkLimits, counted, nameOf } from "./model-call-limit.js";
import { checkOptions, type LimitOptions } from "./options.js";

/** The options of `toolCallLimit`. Needs `runLimit`, `threadLimit` or both. */
export interface ToolCallLimitOptions extends LimitOptions, CountLimits {
  /** The tool whose calls are limited. Default: all tools together. */
  readonly toolName?: string;
  /**
   * `continue` (default): the model receives an error result, and the run continues. `end`: the model receives an error
   * result, and the run ends with a message before the next model call. `error`: the run fails with
   * `ERR_LIMITS_TOOL_CALLS` before the next model call. In all modes, calls of the same batch that are within the limit
   * still run.
   */
  readonly exitBehavior?: "continue" | "end" | "error";
  /** The result that the model receives for a call that was not run. */
  readonly message?: string;
}

/**
 * Limits the number of tool calls in a run with its sub-agents, and in a conversation. A call counts when it runs, not
 * while it waits for a person.
 *
 * @throws {LimitsError} `ERR_LIMITS_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [toolCallLimit({ toolName: "search", runLimit: 5 })], … });
 * ```
 */
export function toolCallLimit(options: ToolCallLimitOptions): Plugin {
  options = checkOptions("toolCallLimit", options, {
    ...common,
    ...counted,
    toolName: named,
    exitBehavior: oneOf("continue", "end", "error"),
    message: named,
  });
  checkLimits("toolCallLimit", options);
  const { toolName, exitBehavior = "continue", mode = "enforce" } = options;
  const { name = nameOf(`tool-call-limit${toolName === undefined ? "" : ` ${toolName}`}`, options) } = options;
  const { message: response = refusal(toolName) } = options;
  const enforced = mode === "enforce";
  const counts = new Counts(name, options, enforced);
  /** The reason to end the run before its next model call, after the batch that exceeded the limit has completed. */
  const over = treeKey<string | undefined>(`${name}.over`, () => undefined, {
    save: (why) => why,
    load: (why) => why as string | undefined,
  });
  const failure = (why: string) => MiddlewareTermination.mark(new LimitsError("ERR_LIMITS_TOOL_CALLS", why), "run");

  return definePlugin({
    name,
    single: true,
    inSubAgents: true,
    // In a framework that only supports tool hooks, `end` behaves like `continue`, and `error` fails the call.
    whereOffered: ["model"],
    async tool(invocation, callNext) {
      const { runtime, call, request } = invocation;
      if (toolName !== undefined && request.tool.name !== toolName) return callNext();
      const counted = counts.take(runtime, call);
      const exceeded = counted instanceof Promise ? await counted : counted;
      if (exceeded !== undefined) {
        const { per, maximum } = exceeded;
        const place = request.tool.name;
        runtime.notify({ type: "limit", plugin: name, limit: `tool_calls.${per}`, maximum, enforced, call, place });
        if (enforced) {
          const why = `The limit of tool calls is reached: ${maximum} per ${per}.`;
          if (exitBehavior === "error" && request.batch === undefined) throw failure(why);
          if (exitBehavior !== "continue") runtime.set(over, why);
          return invocation.respond({ value: response, isError: true });
        }
      }
      await callNext();
      invocation.pipe({
        settle: ({ status }) => (status === "suspended" ? counts.giveBack(runtime) : undefined),
      });
    },
    ...(exitBehavior !== "continue" && {
      async model(invocation, callNext) {
        const why = invocation.runtime.get(over);
        if (why === undefined) return callNext();
        if (exitBehavior === "error") throw failure(why);
        invocation.respond({ value: { message: message("assistant", why) } });
      },
    }),
  } satisfies Plugin as Plugin);
}

const refusal = (toolName: string | undefined): string =>
  toolName === undefined
    ? "The limit of tool calls is reached: this call was not run. Do not call any more tools."
    : `The limit of calls of this tool is reached: this call was not run. Do not call ${toolName} again.`;
