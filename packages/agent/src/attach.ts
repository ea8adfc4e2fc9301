import type { HookName } from "@suite/core";
import { defineAdapter, hookNames } from "@suite/core/adapter";
import type { Agent } from "./agent.js";

/**
 * Returns a copy of an agent with additional plugins. Every adapter of the suite exports a function of this name.
 *
 * @example
 * ```ts
 * const traced = withPlugins(agent, [tracing()]);
 * ```
 */
export const withPlugins = defineAdapter<Agent, HookName>({
  name: "@suite/agent",
  serves: hookNames,
  attach: (agent, stack) => agent.withPlugins(stack.plugins),
});
