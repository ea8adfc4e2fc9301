import type { HookName } from "@suite/core";
import { defineAdapter, hookNames } from "@suite/core/adapter";
import type { Agent } from "./agent.js";

/**
 * Gives an agent back with further plugins. The verb is the same in every adapter of the suite.
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
