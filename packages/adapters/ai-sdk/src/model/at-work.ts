import type { Kind, Plugin, RuntimeContext } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";

/** The plugin stacks that model calls go through, by run. */
const stacks = new WeakMap<RuntimeContext, PluginStack>();

export const noteAtWork = (runtime: RuntimeContext, stack: PluginStack): void => void stacks.set(runtime, stack);

/** The plugins of the call that the calling code is in: a middleware of its model must not run them again. */
export function pluginsAtWork(kind: Kind): readonly Plugin[] {
  const current = ambientStorage()?.getStore();
  if (current?.call.kind !== kind) return [];
  return stacks.get(current.runtime)?.plugins ?? [];
}
