import type { Ambient, Current } from "../engine/run-options.js";

/** The part of `AsyncLocalStorage<Current>` that core uses. */
export interface AmbientStorage extends Ambient {
  getStore(): Current | undefined;
}

interface Shared {
  [registry]?: AmbientStorage;
  readonly process?: {
    getBuiltinModule?(name: string): { readonly AsyncLocalStorage?: new () => AmbientStorage } | undefined;
  };
}

/** Shared by all copies of this package: a client of one adapter that is used in a tool of another joins its run. */
const registry = Symbol.for("@suite/core/ambient");

/**
 * Returns the `AsyncLocalStorage` with the current run and call, for frameworks that do not pass them on. Returns
 * `undefined` if the runtime has none (browsers). Runs are then found only if they are passed explicitly.
 */
export function ambientStorage(): AmbientStorage | undefined {
  const shared = globalThis as Shared;
  if (shared[registry] === undefined) {
    // Loaded by name, so that bundlers do not try to resolve a built-in module.
    const Storage = shared.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
    if (Storage !== undefined) shared[registry] = new Storage();
  }
  return shared[registry];
}
