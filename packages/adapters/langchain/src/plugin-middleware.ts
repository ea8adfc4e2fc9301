import type { AcceptedPlugins, Plugin } from "@suite/core";
import { defineAdapter } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { AgentMiddleware } from "langchain";
import { type MiddlewareOptions, middlewareOf } from "./middleware.js";
import { warnOfLangSmith } from "./own-telemetry.js";

/** The hooks that a middleware alone has a place for. */
type Served = "reasoning" | "model" | "tool" | "memory" | "systemPrompt" | "tools" | "observe";

/**
 * Plugins as a middleware of LangChain, for a list of middlewares. Put it last: it then sees what the model is asked, and what
 * tools are given, in the end.
 *
 * A middleware hears nothing of how a run begins and ends: there is no hook of `agent` nor `humanInput`, and each model call
 * and tool call is a run of its own. `withPlugins` has all of it.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED`
 * @example
 * ```ts
 * createAgent({ model, tools, middleware: [summarizationMiddleware({ model }), pluginMiddleware([pii({ email: "redact" })])] });
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
