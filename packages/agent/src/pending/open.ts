import type { Agent } from "../agent.js";
import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import { type Decision, matchDecisions } from "./decisions.js";
import { invalid, readPending } from "./read.js";
import type { PendingState } from "./state.js";
import { processStore } from "./store.js";

/** A suspended run that is to go on. */
export interface Resumption {
  readonly pending: PendingState;
  readonly decisions: readonly Decision[];
}

/** A resumption that was found good, and is used up. */
export interface Resumed {
  readonly state: PendingState;
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** Whose state it has to be. */
type Owner = Pick<AgentRunOptions, "sessionId" | "userId">;

const defaultMaxBytes = 4 * 1024 * 1024;

/** How long an expired state can still be told of. Claims are kept as long: who asks later cannot know what became of it. */
const sweepable = 7 * 24 * 60 * 60 * 1000;

/**
 * Checks a resumption, and claims its state. Whatever is refused before the claim is not used up: the state can be
 * resumed again, with better decisions.
 *
 * @param expired is told of a good state that comes too late, before that is refused.
 * @throws AgentError with one of the `ERR_PENDING_…` and `ERR_DECISION_…` codes.
 */
export async function openPending(
  { pending, decisions }: Resumption,
  agent: Agent,
  owner: Owner,
  expired: (state: PendingState) => Promise<unknown>,
): Promise<Resumed> {
  const state = await authenticate(pending, agent, owner);
  if (isExpired(state)) {
    await expired(state);
    throw new AgentError("ERR_PENDING_EXPIRED", `The pending state expired at ${timeOf(state)}.`);
  }
  const matched = matchDecisions(state.calls, decisions);
  if (!(await claim(state, agent))) {
    throw new AgentError("ERR_PENDING_USED", "This pending state was resumed before. Use the newest state of its run.");
  }
  return { state, decisions: matched };
}

/** @throws AgentError `ERR_PENDING_INVALID` or `ERR_PENDING_SIGNATURE` for what this agent did not give out, or not to them. */
export async function authenticate(pending: unknown, agent: Agent, owner: Owner): Promise<PendingState> {
  const state = readPending(pending, agent.options.resume?.maxBytes ?? defaultMaxBytes);
  await agent.keys.verify(state);
  if (state.agent !== agent.name) throw invalid(`it is of the agent ${JSON.stringify(state.agent)}`);
  for (const field of ["sessionId", "userId"] as const) {
    if (owner[field] !== undefined && owner[field] !== state[field]) throw invalid(`it is of another ${field}`);
  }
  return state;
}

export const isExpired = ({ expiresAt }: PendingState): boolean => expiresAt < Date.now();

/**
 * Whether nobody has had this state before.
 *
 * @throws AgentError `ERR_PENDING_EXPIRED` where that is no longer known.
 */
export async function claim(state: PendingState, { options }: Agent): Promise<boolean> {
  const { store = processStore } = options.resume ?? {};
  const until = state.expiresAt + sweepable;
  if (until < Date.now()) {
    const why = "that is more than a week ago, and what became of it is no longer known";
    throw new AgentError("ERR_PENDING_EXPIRED", `The pending state expired at ${timeOf(state)}: ${why}.`);
  }
  return store.claim(state.id, until);
}

const timeOf = ({ expiresAt }: PendingState): string => new Date(expiresAt).toISOString();
