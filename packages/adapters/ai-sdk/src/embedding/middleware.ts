import type { Plugin } from "@suite/core";
import type { WithPluginsOptions } from "@suite/core/adapter";
import { defineAdapter, identifyOf, PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { EmbeddingModelMiddleware } from "ai";
import { enter } from "../model/enter.js";
import { requestEmbeddings } from "./ask.js";

/** Checks plugins without an `embedding` hook as `withPlugins` does. */
const checked = defineAdapter({
  name: "@suite/ai-sdk pluginEmbeddingMiddleware",
  serves: ["embedding", "observe"],
  attach: (target: object) => target,
});

/**
 * Creates a middleware for `wrapEmbeddingModel` that runs plugins around each call of one embedding model. Only the
 * `embedding` hook of a plugin is used. Each call is a run within the current run, if any.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` if a plugin without that hook requires another one, since it would have no
 *   effect here.
 * @example
 * ```ts
 * const model = wrapEmbeddingModel({ model: openai.embedding("text-embedding-3-small"), middleware: pluginEmbeddingMiddleware([guard]) });
 * ```
 */
export function pluginEmbeddingMiddleware(
  plugins: readonly Plugin[],
  options?: WithPluginsOptions,
): EmbeddingModelMiddleware {
  const all = new FrameworkRuns(new PluginStack(plugins, undefined, undefined, identifyOf(options)));
  checked({}, all.stack.plugins.filter(({ embedding }) => embedding === undefined) as readonly Plugin[]);
  return {
    specificationVersion: "v3",
    async wrapEmbed({ model, params, doEmbed }) {
      if (!all.stack.has.embedding) return doEmbed();
      const within = enter(all, "embedding", { signal: params.abortSignal, onAbort: "tell" });
      if (within === undefined) return doEmbed();
      try {
        return await requestEmbeddings(within, model, params);
      } finally {
        await within.leave();
      }
    },
  };
}
