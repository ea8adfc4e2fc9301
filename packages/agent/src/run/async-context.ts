/**
 * Runs a function in a captured async context: with its active span, and with the values of each `AsyncLocalStorage`.
 */
export type Within = <T>(run: () => T) => T;

interface Shared {
  readonly process?: {
    getBuiltinModule?(name: string): { readonly AsyncLocalStorage?: { snapshot?(): Within } } | undefined;
  };
}

const here: Within = (run) => run();

/**
 * Captures the async context of the caller. Runtimes without one, such as browsers, run the function in the context of
 * the call.
 */
export function captureContext(): Within {
  // Loaded by name, so that bundlers do not look for the Node built-in.
  const { AsyncLocalStorage } = (globalThis as Shared).process?.getBuiltinModule?.("node:async_hooks") ?? {};
  return AsyncLocalStorage?.snapshot?.() ?? here;
}
