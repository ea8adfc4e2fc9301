import { mergeConfigs } from "@langchain/core/runnables";
import type { FrameworkRuns } from "@suite/core/framework";
import { agentHooks } from "../hooks.js";
import { AgentCall } from "./call.js";
import { eventsDirectly, invokeDirectly, streamDirectly } from "./direct.js";
import { events } from "./events.js";
import { invoke } from "./invoke.js";
import { revealedSnapshot } from "./reveal.js";
import { deferredStream, stream } from "./stream.js";
import type { Agent, AgentConfig } from "./target.js";

/**
 * Changes an agent that `createAgent` has just created, so that its calls pass through the `agent` layers.
 *
 * @param bound the configuration of `withConfig`, which LangChain does not expose.
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
    getState: agent.getState.bind(agent),
    getStateHistory: agent.getStateHistory.bind(agent),
  };
  const begin = (input: unknown, config: AgentConfig | undefined) =>
    AgentCall.begin(runs, inner, input, mergeConfigs(bound, config));
  const isDirect = !runs.stack.hasAny(agentHooks);
  // A stream of bytes may be read without a reader that can be watched, for example by a `Response`.
  const direct = (call: AgentCall): boolean => isDirect && call.config?.encoding === undefined;
  return Object.assign(agent, {
    invoke: async (input: unknown, config?: AgentConfig) =>
      (isDirect ? invokeDirectly : invoke)(await begin(input, config), (finalInput) =>
        inner.invoke(finalInput, config),
      ),
    async stream(input: unknown, config?: AgentConfig) {
      const call = await begin(input, config);
      return (direct(call) ? streamDirectly : stream)(
        call,
        async (finalInput) => inner.stream(finalInput, config) as never,
      );
    },
    streamEvents(input: unknown, config?: AgentConfig, options?: object) {
      const open = (finalInput: unknown) => inner.streamEvents(finalInput, config, options) as never;
      if (config?.version !== "v3" || options != null) {
        const begun = isDirect && config?.encoding === undefined ? begin(input, config) : undefined;
        if (begun instanceof AgentCall) return eventsDirectly(begun, open);
        return deferredStream(async () =>
          stream(await (begun ?? begin(input, config)), async (finalInput) => open(finalInput)),
        );
      }
      const opened = async (call: AgentCall) =>
        config.encoding === undefined ? events(call, async (finalInput) => open(finalInput)) : stream(call, open);
      return Promise.resolve(begin(input, config)).then(opened);
    },
    getState: async (config: AgentConfig, options?: object) =>
      revealedSnapshot(runs, mergeConfigs(bound, config), await inner.getState(config, options)),
    async *getStateHistory(config: AgentConfig, options?: object) {
      const merged = mergeConfigs(bound, config);
      for await (const each of inner.getStateHistory(config, options)) yield revealedSnapshot(runs, merged, each);
    },
    withConfig: (config: AgentConfig) => guardedAgent(inner.withConfig(config), runs, mergeConfigs(bound, config)),
  });
}
