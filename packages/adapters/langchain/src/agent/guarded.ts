import { mergeConfigs } from "@langchain/core/runnables";
import type { FrameworkRuns } from "@suite/core/framework";
import { AgentCall } from "./call.js";
import { events } from "./events.js";
import { invoke } from "./invoke.js";
import { later, stream } from "./stream.js";
import type { Agent, AgentConfig } from "./target.js";

/**
 * An agent that `createAgent` has just made, with its calls going through the layers of `agent`.
 *
 * @param bound what `withConfig` gave it: LangChain keeps that to itself.
 */
export function guardedAgent<A extends Agent>(agent: A, runs: FrameworkRuns, bound: AgentConfig = {}): A {
  const inner: Agent = {
    get options() {
      return agent.options;
    },
    get checkpointer() {
      return agent.checkpointer;
    },
    get graph() {
      return agent.graph;
    },
    invoke: agent.invoke.bind(agent),
    stream: agent.stream.bind(agent),
    streamEvents: agent.streamEvents.bind(agent),
    withConfig: agent.withConfig.bind(agent),
  };
  const begin = (input: unknown, config: AgentConfig | undefined) =>
    AgentCall.begin(runs, inner, input, mergeConfigs(bound, config));
  return Object.assign(agent, {
    invoke: async (input: unknown, config?: AgentConfig) =>
      invoke(await begin(input, config), (given) => inner.invoke(given, config)),
    stream: async (input: unknown, config?: AgentConfig) =>
      stream(await begin(input, config), (given) => inner.stream(given, config)),
    streamEvents(input: unknown, config?: AgentConfig, options?: object) {
      const open = async (given: unknown) => inner.streamEvents(given, config, options);
      if (config?.version !== "v3" || options != null)
        return later(async () => stream(await begin(input, config), open));
      if (config.encoding !== undefined) return begin(input, config).then((call) => stream(call, open));
      return begin(input, config).then((call) => events(call, open));
    },
    withConfig: (config: AgentConfig) => guardedAgent(inner.withConfig(config), runs, mergeConfigs(bound, config)),
  });
}
