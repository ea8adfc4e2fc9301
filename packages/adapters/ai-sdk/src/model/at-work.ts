import type { Kind, Plugin, RuntimeContext } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { ambientStorage } from "@suite/core/framework";

/** The property under which a run has the plugin stack of its model calls: a WeakMap would cost the garbage collector dearly. */
const atWork: unique symbol = Symbol("plugins at work");

type AtWork = RuntimeContext & { [atWork]?: PluginStack };

/** Notes the plugin stack that the model calls of a run go through. */
export function noteAtWork(runtime: RuntimeContext, stack: PluginStack): void {
  (runtime as AtWork)[atWork] = stack;
}

/** The plugins of the call that the calling code is in: a middleware of its model must not run them again. */
export function pluginsAtWork(kind: Kind): readonly Plugin[] {
  const current = ambientStorage()?.getStore();
  if (current?.call.kind !== kind) return [];
  return (current.runtime as AtWork)[atWork]?.plugins ?? [];
}
