import type { PluginStack } from "@suite/core/adapter";
import type { AgentTool } from "./tool.js";

const appended = new WeakMap<AgentTool, { readonly outer: PluginStack; readonly stack: PluginStack }>();

/** The run's layers, with the tool's own inside them. */
export function stackOf(tool: AgentTool, outer: PluginStack): PluginStack {
  if (tool.plugins === undefined || tool.plugins.length === 0) return outer;
  const known = appended.get(tool);
  if (known?.outer === outer) return known.stack;
  const stack = outer.append(tool.plugins);
  appended.set(tool, { outer, stack });
  return stack;
}
