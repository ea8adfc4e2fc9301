import type { Plugin, WithPluginsOptions } from "@suite/core";
import { defineAdapter, identifyOf, PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { EmbeddingModelMiddleware } from "ai";
import { enter } from "../model/enter.js";
import { askEmbeddings } from "./ask.js";

/** The check of `withPlugins`, for plugins that do nothing with embeddings. */
const checked = defineAdapter({
  name: "@suite/ai-sdk pluginEmbeddingMiddleware",
  serves: ["embedding", "observe"],
  attach: (target: object) => target,
});

/**
 * The plugins as a middleware of one embedding model, for `wrapEmbeddingModel`. Of a plugin that has an `embedding` hook,
 * that one is used: such a model makes no other calls. Each call is a run of its own, or one within the run that it is made in.
 *
 * @throws CoreError `ERR_HOOK_NOT_SERVED` where a plugin without that hook requires another: it would guard nothing here.
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
        return await askEmbeddings(within, model, params);
      } finally {
        await within.leave();
      }
    },
  };
}
