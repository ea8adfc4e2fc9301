import { PluginStack, type Run } from "@suite/core/adapter";
import { incomingKey } from "@suite/core/propagation";
import type { AgentRunOptions } from "./options.js";
import type { AgentParts } from "./parts.js";
import type { PendingState } from "./pending/state.js";

/**
 * Returns the layers of a run: the plugins inherited from the parent run, then the agent's, then those of this run
 * only.
 */
export function stackFor(agentStack: PluginStack, { parent, plugins = [] }: AgentRunOptions): PluginStack {
  const outer = (parent as Partial<Run> | undefined)?.passedOn ?? [];
  return (outer.length === 0 ? agentStack : new PluginStack(outer).append(agentStack.plugins)).append(plugins);
}

/** Begins a run for the plugins. If `state` is passed, continues the run that was suspended in it. */
export function beginRun(
  { info, options: { tools = [], ambient } }: AgentParts,
  stack: PluginStack,
  options: AgentRunOptions,
  state: PendingState | undefined,
): Run {
  const run = stack.begin({
    agent: info,
    runId: state?.runId,
    sessionId: options.sessionId ?? state?.sessionId,
    userId: options.userId ?? state?.userId,
    tenantId: options.tenantId ?? state?.tenantId,
    signal: options.signal,
    parent: options.parent,
    values: options.values,
    durable: state?.durable,
    ambient,
    toolPlugins: tools.flatMap((tool) => tool.plugins ?? []),
  });
  if (options.incoming !== undefined) run.set(incomingKey, options.incoming);
  return run;
}
