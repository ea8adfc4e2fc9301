import type { Plugin } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";

/** Whether anybody looks at model calls: where nobody does, nothing is read for them. */
export const isWatched = ({ plugins }: PluginStack): boolean =>
  plugins.some(
    (plugin) =>
      plugin.model !== undefined ||
      plugin.reasoning !== undefined ||
      plugin.systemPrompt !== undefined ||
      guards(plugin),
  );

/** Whether a plugin must see answers: it is taken for one that may change them. */
export const guards = ({ model, agent, reasoning, whereOffered = [] }: Plugin): boolean =>
  (model !== undefined && !whereOffered.includes("model")) ||
  (reasoning !== undefined && !whereOffered.includes("reasoning")) ||
  (agent !== undefined && !whereOffered.includes("agent"));
