import type { Kind, Plugin, RuntimeContext } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";

/**
 * The property of a run that holds the plugin stack of its model calls. A WeakMap would slow down the garbage
 * collector.
 */
const atWork: unique symbol = Symbol("plugins at work");

type AtWork = RuntimeContext & { [atWork]?: PluginStack };

/** Stores the plugin stack of a run's model calls. */
export function noteAtWork(runtime: RuntimeContext, stack: PluginStack): void {
  (runtime as AtWork)[atWork] = stack;
}

/** Returns the plugins of the current call. A middleware of its model must not run them again. */
export function pluginsAtWork(kind: Kind): readonly Plugin[] {
  const current = ambientStorage()?.getStore();
  if (current?.call.kind !== kind) return [];
  return (current.runtime as AtWork)[atWork]?.plugins ?? [];
}
