import type { Plugin } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";

/** True if a plugin reads model calls. Otherwise they are not converted. */
export const isWatched = ({ plugins }: PluginStack): boolean =>
  plugins.some(
    (plugin) =>
      plugin.model !== undefined ||
      plugin.reasoning !== undefined ||
      plugin.systemPrompt !== undefined ||
      guards(plugin),
  );

/** True if a plugin receives answers and may therefore change them. */
export const guards = ({ model, agent, reasoning, whereOffered = [] }: Plugin): boolean =>
  (model !== undefined && !whereOffered.includes("model")) ||
  (reasoning !== undefined && !whereOffered.includes("reasoning")) ||
  (agent !== undefined && !whereOffered.includes("agent"));
