import { type CallId, type RuntimeContext, stateKey } from "@suite/core";
import type { ExternalResultNotification } from "@suite/core/contract";

/** The counts of one agent call so far, without those of its sub-agents. */
export interface Tally {
  inferences: number;
  tools: number;
  /** The model of its calls, if all used the same one. */
  model: string | undefined;
  /** Tokens of its model calls, by their span attribute. */
  readonly tokens: Map<string, number>;
  /** The total milliseconds of sub-agents, the number that run now, and the start of the current period. */
  subAgentsMs: number;
  subAgents: number;
  subAgentsSince: number;
}

/** The tallies of a run by agent call, and the last one, for calls that do not report their parent. */
const tallies = stateKey("tracing.tallies", () => ({
  byCall: new WeakMap<CallId, Tally>(),
  last: undefined as Tally | undefined,
}));

/** Starts the counts of an agent call. */
export function openTally(runtime: RuntimeContext, call: CallId): Tally {
  const tally: Tally = {
    inferences: 0,
    tools: 0,
    model: undefined,
    tokens: new Map(),
    subAgentsMs: 0,
    subAgents: 0,
    subAgentsSince: 0,
  };
  const all = runtime.get(tallies);
  all.byCall.set(call, tally);
  all.last = tally;
  return tally;
}

/** Returns the tally of the nearest agent call of this run around `call`. */
export function tallyAround(runtime: RuntimeContext, call: CallId | undefined): Tally | undefined {
  const { byCall, last } = runtime.get(tallies);
  return nearest(byCall, call) ?? last;
}

/** Returns the tally of the agent call that started this sub-agent. */
export function outerTally(runtime: RuntimeContext, { parent }: CallId): Tally | undefined {
  const nearestTally = nearest(runtime.get(tallies).byCall, parent);
  if (nearestTally !== undefined || runtime.parent === undefined) return nearestTally;
  try {
    return tallyAround(runtime.parent, parent);
  } catch {
    return undefined; // a run may outlive the one that started it
  }
}

function nearest(byCall: WeakMap<CallId, Tally>, call: CallId | undefined): Tally | undefined {
  for (let at = call; at !== undefined; at = at.parent) {
    const tally = byCall.get(at);
    if (tally !== undefined) return tally;
  }
  return undefined;
}

export function countInference(tally: Tally | undefined, model: string): void {
  if (tally === undefined) return;
  tally.model = tally.inferences === 0 || tally.model === model ? model : undefined;
  tally.inferences++;
}

/** Counts a tool that ran elsewhere in the turn that received its result. A tool that never ran is not counted. */
export function countExternal({ call, outcome }: ExternalResultNotification, runtime: RuntimeContext): void {
  const tally = tallyAround(runtime, call);
  if (tally !== undefined && (outcome === "completed" || outcome === "failed")) tally.tools++;
}

/**
 * Starts a sub-agent. Returns a function to call with its end time. Both times are milliseconds of `performance.now`.
 */
export function enterSubAgent(tally: Tally | undefined, start: number): (end: number) => void {
  if (tally === undefined) return () => {};
  if (tally.subAgents++ === 0) tally.subAgentsSince = start;
  return (end) => {
    if (--tally.subAgents === 0) tally.subAgentsMs += end - tally.subAgentsSince;
  };
}
