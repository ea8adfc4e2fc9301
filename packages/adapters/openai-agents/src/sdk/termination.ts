import type { RuntimeContext } from "@suite/core";

const terminations = new WeakMap<RuntimeContext, { readonly error: unknown }>();

/** Keeps what a layer ended the whole run with from within a tool: the SDK puts an error of its own around it. */
export const noteTermination = (runtime: RuntimeContext, error: unknown): void =>
  void terminations.set(runtime, { error });

/** The error that a run ends with: what a layer ended it with, else the given one. */
export const endOf = (runtime: RuntimeContext, error: unknown): unknown => {
  const ended = terminations.get(runtime);
  return ended === undefined ? error : ended.error;
};
