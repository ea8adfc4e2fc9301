import { type CallId, type ExternalResultNotification, type RuntimeContext, stateKey } from "@suite/core";

/** What one agent call has caused so far: its own calls, not those of its sub-agents. */
export interface Tally {
  inferences: number;
  tools: number;
  /** The model of its calls, as long as it was one. */
  model: string | undefined;
}

/** The tallies of a run by agent call, and that of the last one, for calls which do not tell what they are nested in. */
const tallies = stateKey("tracing.tallies", () => ({
  byCall: new WeakMap<CallId, Tally>(),
  last: undefined as Tally | undefined,
}));

/** Begins to count what an agent call causes. */
export function openTally(runtime: RuntimeContext, call: CallId): Tally {
  const tally: Tally = { inferences: 0, tools: 0, model: undefined };
  const all = runtime.get(tallies);
  all.byCall.set(call, tally);
  all.last = tally;
  return tally;
}

/** The tally of the nearest agent call of this run around `call`. */
export function tallyAround(runtime: RuntimeContext, call: CallId | undefined): Tally | undefined {
  const { byCall, last } = runtime.get(tallies);
  for (let at = call; at !== undefined; at = at.parent) {
    const tally = byCall.get(at);
    if (tally !== undefined) return tally;
  }
  return last;
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
