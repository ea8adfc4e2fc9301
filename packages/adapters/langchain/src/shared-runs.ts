import type { Plugin } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";

/** The runs of a list of plugins, and those of longer lists that begin with it. */
interface Node {
  /** The runs by the function that identifies them: the option `run` of `withPlugins`. */
  readonly runs: WeakMap<object, FrameworkRuns>;
  readonly longer: WeakMap<Plugin, Node>;
}

const node = (): Node => ({ runs: new WeakMap(), longer: new WeakMap() });
const root = node();
const noIdentity = {};

/**
 * Returns the runs of these plugins. All targets with the same plugins share them: a retriever that is used in a tool
 * of an agent is in the agent's run, even if only the agent has the option `run`.
 */
export function sharedRuns(stack: PluginStack): FrameworkRuns {
  let at = root;
  for (const plugin of stack.plugins) {
    const next = at.longer.get(plugin) ?? node();
    at.longer.set(plugin, next);
    at = next;
  }
  const identify = stack.identify ?? noIdentity;
  const runs = at.runs.get(identify) ?? new FrameworkRuns(stack, at);
  at.runs.set(identify, runs);
  return runs;
}
