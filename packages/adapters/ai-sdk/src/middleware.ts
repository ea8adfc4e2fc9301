import type { Plugin } from "@suite/core";
import type { AcceptedPlugins, WithPluginsOptions } from "@suite/core/adapter";
import { defineAdapter, PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { LanguageModelMiddleware } from "ai";
import type { StreamResult } from "./framework.js";
import { generateThroughLayers, resultOf, streamThroughLayers } from "./model/ask.js";
import { enter } from "./model/enter.js";
import { streamOf } from "./model/streams.js";

/** The hooks that a middleware of one model supports. */
type Served = "reasoning" | "model" | "memory" | "systemPrompt" | "observe";

/** Checks the plugins without attaching them to a target. */
const checked = defineAdapter<{ stack?: PluginStack }, Served>({
  name: "@suite/ai-sdk pluginMiddleware",
  serves: ["reasoning", "model", "memory", "systemPrompt", "observe"],
  attach: (_, stack) => ({ stack }),
});

/**
 * Creates a middleware for `wrapLanguageModel` that runs plugins around each call of one model. Each call is a run
 * within the current run, if any. Plugins that already run around the current call do not run again.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin requires another hook. `withPlugins` supports
 *   tools, agents and people.
 * @example
 * ```ts
 * const model = wrapLanguageModel({ model: openai("gpt-5"), middleware: pluginMiddleware([guard]) });
 * ```
 */
export function pluginMiddleware<const Ps extends readonly Plugin[]>(
  plugins: AcceptedPlugins<Ps, Served>,
  options?: WithPluginsOptions,
): LanguageModelMiddleware {
  const none: { stack?: PluginStack } = {};
  const { stack = new PluginStack() } = checked(none, plugins as never, options);
  const all = new FrameworkRuns(stack);
  return {
    specificationVersion: "v3",
    async wrapGenerate({ model, params, doGenerate }) {
      const within = enter(all, "model", { signal: params.abortSignal });
      if (within === undefined) return doGenerate();
      try {
        const { outcome, modelAnswer } = await generateThroughLayers(within, model, params);
        return resultOf(modelAnswer(), await outcome.final());
      } finally {
        await within.leave();
      }
    },
    async wrapStream({ model, params, doStream }) {
      const within = enter(all, "model", { signal: params.abortSignal });
      if (within === undefined) return doStream();
      try {
        const { outcome, modelAnswer } = await streamThroughLayers(within, model, params);
        void outcome.settled.then(within.leave);
        return {
          ...modelAnswer()?.result,
          stream: streamOf(outcome, modelAnswer()?.source),
        } as StreamResult;
      } catch (error) {
        await within.leave();
        throw error;
      }
    },
  };
}
