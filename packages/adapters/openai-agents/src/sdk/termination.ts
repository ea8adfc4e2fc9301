import type { RuntimeContext } from "@suite/core";

const terminations = new WeakMap<RuntimeContext, { readonly error: unknown }>();

/** Stores the error of a tool layer that ended the run, because the SDK wraps it in another error. */
export const noteTermination = (runtime: RuntimeContext, error: unknown): void =>
  void terminations.set(runtime, { error });

/** Returns the final error of a run: the stored one of a layer, or the passed one. */
export const endOf = (runtime: RuntimeContext, error: unknown): unknown => {
  const ended = terminations.get(runtime);
  return ended === undefined ? error : ended.error;
};
