import { incomingKey } from "@suite/core";
import type { PluginStack, Run } from "@suite/core/adapter";
import type { Agent } from "./agent.js";
import type { AgentRunOptions } from "./options.js";
import type { PendingState } from "./pending/state.js";

/** Begins a run for the plugins; with `state`, the run that was suspended in it. */
export function beginRun(
  { info, options: { tools = [], ambient } }: Agent,
  stack: PluginStack,
  options: AgentRunOptions,
  state: PendingState | undefined,
): Run {
  const run = stack.begin({
    agent: info,
    runId: state?.runId,
    sessionId: options.sessionId ?? state?.sessionId,
    userId: options.userId ?? state?.userId,
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
