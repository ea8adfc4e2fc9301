import type { Plugin } from "@suite/core";
import type { AcceptedPlugins } from "@suite/core/adapter";
import { defineAdapter } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { AgentMiddleware } from "langchain";
import { type MiddlewareOptions, middlewareOf } from "./middleware.js";
import { warnOfLangSmith } from "./own-telemetry.js";

/** The hooks that a middleware alone can run. */
type Served = "reasoning" | "model" | "tool" | "memory" | "systemPrompt" | "tools" | "observe";

/**
 * Returns plugins as a LangChain middleware. Put it last in the list, so that it sees the final input of the model and
 * the tools.
 *
 * A middleware cannot see the begin and the end of a run: there are no `agent` and `humanInput` hooks, and each model
 * call and each tool call is a separate run. Use `withPlugins` for all hooks.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 * @example
 * ```ts
 * const guard = pluginMiddleware([pii({ email: "redact" })]);
 * createAgent({ model, tools, middleware: [summarizationMiddleware({ model }), guard] });
 * ```
 */
export function pluginMiddleware<const Ps extends readonly Plugin[]>(
  plugins: AcceptedPlugins<Ps, Served>,
  options: MiddlewareOptions = {},
): AgentMiddleware {
  const attach = defineAdapter<AgentMiddleware, Served>({
    name: "pluginMiddleware of @suite/langchain",
    serves: ["reasoning", "model", "tool", "memory", "systemPrompt", "tools", "observe"],
    attach: (_, stack) => middlewareOf(new FrameworkRuns(stack), options),
  });
  warnOfLangSmith();
  return attach({} as AgentMiddleware, plugins, { run: options.run });
}
