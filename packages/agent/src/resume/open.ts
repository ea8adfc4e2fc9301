import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import type { AgentParts } from "../parts.js";
import type { Decision, Resumption } from "../pending/decisions.js";
import { invalid, readPending } from "../pending/read.js";
import type { Resuming } from "../pending/resuming.js";
import type { PendingState } from "../pending/state.js";
import { decisionsFor, heldIn, innerAgentOf, outerIdOf } from "../tools/inner.js";
import { toolsByName } from "../tools/table.js";
import { checkEdits } from "./edit.js";
import { matchDecisions } from "./match.js";

/** A valid resumption. `claim` marks its state as used when the first decision is about to take effect. */
export class Resumed {
  /** True if the state is used. */
  claimed = false;

  constructor(
    readonly state: PendingState,
    readonly decisions: ReadonlyMap<string, Decision>,
    readonly resuming: Resuming,
  ) {}

  /** @throws AgentError `ERR_AGENT_PENDING_USED` */
  async claim(): Promise<void> {
    if (this.claimed) return;
    this.claimed = await claim(this.state, this.resuming);
    if (!this.claimed) {
      throw new AgentError(
        "ERR_AGENT_PENDING_USED",
        "This pending state was resumed before. Use the newest state of its run.",
      );
    }
  }
}

/** The fields that must match the caller's session, user and tenant. */
const ids = ["sessionId", "userId", "tenantId"] as const;
type Owner = Pick<AgentRunOptions, (typeof ids)[number]>;

/**
 * The time in milliseconds after the end of a state during which it can still be reported as expired. Claims are kept
 * as long. After that it is not known whether the state was used.
 */
const sweepable = 7 * 24 * 60 * 60 * 1000;

/**
 * Checks a resumption. An error here does not use the state: it can be resumed again with corrected decisions.
 *
 * @param expired is called with a valid state that has expired, before the error is thrown.
 * @throws AgentError with one of the `ERR_AGENT_PENDING_…` and `ERR_AGENT_DECISION_…` codes.
 */
export async function openPending(
  { pending, decisions }: Resumption,
  agent: AgentParts,
  owner: Owner,
  resuming: Resuming,
  expired: (state: PendingState) => Promise<unknown>,
): Promise<Resumed> {
  const state = await authenticate(pending, agent, owner, resuming);
  if (isExpired(state)) {
    await expired(state);
    throw new AgentError("ERR_AGENT_PENDING_EXPIRED", `The pending state expired at ${timeOf(state)}.`);
  }
  const matched = matchDecisions(state.calls, decisions);
  await checkInner(agent, state, matched, resuming);
  return new Resumed(state, matched, resuming);
}

/**
 * Reads a pending state and checks its signature and owner. @throws AgentError `ERR_AGENT_PENDING_INVALID` or
 * `ERR_AGENT_PENDING_SIGNATURE` if this agent did not create it, or created it for another owner.
 */
export async function authenticate(
  pending: unknown,
  agent: AgentParts,
  owner: Owner,
  resuming: Resuming,
): Promise<PendingState> {
  const state = readPending(pending, resuming.maxBytes);
  await resuming.keys.verify(state);
  if (state.agent !== agent.name) throw invalid(`it belongs to the agent ${JSON.stringify(state.agent)}`);
  for (const field of ids) {
    if (owner[field] !== undefined && owner[field] !== state[field]) throw invalid(`it has another ${field}`);
  }
  return state;
}

/**
 * Checks the states of the inner agents that have decisions, before the outer state is used. If an inner agent refused
 * its state later, the decision would be lost.
 */
async function checkInner(
  agent: AgentParts,
  state: PendingState,
  decisions: ReadonlyMap<string, Decision>,
  outer: Resuming,
): Promise<void> {
  const ids = new Set([...decisions.keys()].map(outerIdOf));
  for (const id of ids) {
    const held = heldIn(state.durable, id);
    const inner = innerAgentOf(agent, state.messages, id);
    if (held === undefined || inner === undefined) continue;
    const resuming = inner.resuming.within(outer);
    await authenticate(held, inner, {}, resuming);
    const matched = matchDecisions(held.calls, decisionsFor(id, decisions));
    await checkEdits(held.calls, matched, toolsByName(inner.options.tools ?? [], inner.stack.plugins), false);
    await checkInner(inner, held, matched, resuming);
  }
}

/**
 * The extra lifetime of claims, in milliseconds. Clocks of stores and processes differ, and a state whose claim is gone
 * could be resumed again.
 */
const grace = 24 * 60 * 60 * 1000;

export const isExpired = ({ expiresAt }: PendingState): boolean => expiresAt < Date.now();

/**
 * Claims a state. Returns true if it was not claimed before.
 *
 * @throws AgentError `ERR_AGENT_PENDING_EXPIRED` if the store may have forgotten the claim.
 */
export async function claim(state: PendingState, { store }: Resuming): Promise<boolean> {
  const remaining = state.expiresAt + sweepable - Date.now();
  if (remaining < 0) {
    const why = "that is more than a week ago, and its result is no longer known";
    throw new AgentError("ERR_AGENT_PENDING_EXPIRED", `The pending state expired at ${timeOf(state)}: ${why}.`);
  }
  return store.claim(`resume:${state.id}`, { ttl: Math.ceil(remaining) + grace });
}

const timeOf = ({ expiresAt }: PendingState): string => new Date(expiresAt).toISOString();
