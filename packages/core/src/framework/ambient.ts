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

/** One for all copies of this package: a client of one adapter that is used in a tool of another joins its run. */
const registry = Symbol.for("@suite/core/ambient");

/**
 * The `AsyncLocalStorage` in which adapters keep the run and the call that code is in, so that a framework which hands
 * nothing on still finds them. Undefined where the runtime has none (browsers): there, only what is handed on is found.
 */
export function ambientStorage(): AmbientStorage | undefined {
  const shared = globalThis as Shared;
  if (shared[registry] === undefined) {
    // Asked for by name, so that no bundler looks for a built-in where there is none.
    const Storage = shared.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;
    if (Storage !== undefined) shared[registry] = new Storage();
  }
  return shared[registry];
}
