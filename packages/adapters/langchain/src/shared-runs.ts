import type { Plugin } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { FrameworkRuns } from "@suite/core/framework";

/** The runs of a list of plugins, and those of longer lists that begin with it. */
interface Node {
  runs?: FrameworkRuns;
  readonly longer: WeakMap<Plugin, Node>;
}

const root: Node = { longer: new WeakMap() };

/** The runs of these plugins, whatever they are attached to: a retriever that is used in a tool of an agent is in the agent's run. */
export function sharedRuns(stack: PluginStack): FrameworkRuns {
  let node = root;
  for (const plugin of stack.plugins) {
    const next = node.longer.get(plugin) ?? { longer: new WeakMap() };
    node.longer.set(plugin, next);
    node = next;
  }
  node.runs ??= new FrameworkRuns(stack);
  return node.runs;
}
