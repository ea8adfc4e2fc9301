import type { Kind } from "@suite/core";
import type { RunOptions } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";
import type { Within } from "./ask.js";
import { pluginsAtWork } from "./at-work.js";

/**
 * Begins a run for the call of a model with a middleware. Returns `undefined` if all its plugins already run around the
 * current call.
 */
export function enter(
  all: FrameworkRuns,
  kind: Kind,
  options: RunOptions,
): (Within & { leave(): Promise<void> }) | undefined {
  const { plugins } = all.stack;
  const busy = pluginsAtWork(kind);
  const rest = plugins.filter((plugin) => !busy.includes(plugin));
  if (rest.length === 0) return undefined;
  const runs = rest.length === plugins.length ? all : new FrameworkRuns(all.stack.only(rest));
  const run = runs.begin(options);
  return { stack: runs.stack, run, call: runs.callAround(run), leave: () => run.end() };
}
