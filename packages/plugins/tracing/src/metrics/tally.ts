import { type CallId, type ExternalResultNotification, type RuntimeContext, stateKey } from "@suite/core";

/** The counts of one agent call so far: of its own calls, not of those of its sub-agents. */
export interface Tally {
  inferences: number;
  tools: number;
  /** The model of its calls, as long as it was one. */
  model: string | undefined;
  /** Tokens of its model calls, by the attribute that they stand under on spans. */
  readonly tokens: Map<string, number>;
  /** Milliseconds in which sub-agents ran, how many do now, and since when. */
  subAgentsMs: number;
  subAgents: number;
  subAgentsSince: number;
}

/** The tallies of a run by agent call, and that of the last one, for calls which do not tell what they are nested in. */
const tallies = stateKey("tracing.tallies", () => ({
  byCall: new WeakMap<CallId, Tally>(),
  last: undefined as Tally | undefined,
}));

/** Begins to count what an agent call causes. */
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

/** The tally of the nearest agent call of this run around `call`. */
export function tallyAround(runtime: RuntimeContext, call: CallId | undefined): Tally | undefined {
  const { byCall, last } = runtime.get(tallies);
  return nearest(byCall, call) ?? last;
}

/** The tally of the agent call that an agent call is a sub-agent of. */
export function outerTally(runtime: RuntimeContext, { parent }: CallId): Tally | undefined {
  const own = nearest(runtime.get(tallies).byCall, parent);
  if (own !== undefined || runtime.parent === undefined) return own;
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

/** A tool that ran elsewhere counts in the turn that its result came in; one that never ran does not. */
export function countExternal({ call, outcome }: ExternalResultNotification, runtime: RuntimeContext): void {
  const tally = tallyAround(runtime, call);
  if (tally !== undefined && (outcome === "completed" || outcome === "failed")) tally.tools++;
}

/** A sub-agent begins. Gives what is to be told when it has ended; both in milliseconds of `performance.now`. */
export function enterSubAgent(tally: Tally | undefined, start: number): (end: number) => void {
  if (tally === undefined) return () => {};
  if (tally.subAgents++ === 0) tally.subAgentsSince = start;
  return (end) => {
    if (--tally.subAgents === 0) tally.subAgentsMs += end - tally.subAgentsSince;
  };
}
