import type { Kind, Plugin, RuntimeContext } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";

/** The layers that the calls of models in a run go through. */
const stacks = new WeakMap<RuntimeContext, PluginStack>();

export const noteAtWork = (runtime: RuntimeContext, stack: PluginStack): void => void stacks.set(runtime, stack);

/** The plugins that the call which code is in goes through already: a middleware of its model must not run them again. */
export function pluginsAtWork(kind: Kind): readonly Plugin[] {
  const current = ambientStorage()?.getStore();
  if (current?.call.kind !== kind) return [];
  return stacks.get(current.runtime)?.plugins ?? [];
}
