import type { RuntimeContext } from "@suite/core";
import { beginRun } from "../begin.js";
import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import type { AgentParts } from "../parts.js";
import type { Resuming } from "../pending/resuming.js";
import type { PendingCall, PendingState } from "../pending/state.js";
import { heldIn, innerAgentOf, outerIdOf, within } from "../tools/inner.js";
import { authenticate, claim, isExpired } from "./open.js";

/** Implements `agent.expire`. */
export async function expirePending(
  agent: AgentParts,
  pending: PendingState,
  options: AgentRunOptions,
): Promise<boolean> {
  const { resuming } = agent;
  const state = await authenticate(pending, agent, options, resuming);
  if (isExpired(state)) return claimExpired(agent, state, options, resuming);
  const until = new Date(state.expiresAt).toISOString();
  throw new AgentError(
    "ERR_AGENT_PENDING_NOT_EXPIRED",
    `The pending state can be resumed until ${until}. Expire it later.`,
  );
}

/**
 * Marks an expired state as used and reports its calls as expired. Returns false if it was used before, because the end
 * of its calls was reported then.
 */
export async function claimExpired(
  agent: AgentParts,
  state: PendingState,
  options: AgentRunOptions,
  resuming: Resuming,
): Promise<boolean> {
  if (!(await claim(state, resuming))) return false;
  await notifyExpired(agent, state, state.expiresAt, options);
  return true;
}

/**
 * Reports each unanswered call to the plugins, in a separate run without other events.
 *
 * @param expiredAt milliseconds since the epoch.
 */
async function notifyExpired(
  agent: AgentParts,
  state: PendingState,
  expiredAt: number,
  options: AgentRunOptions,
): Promise<void> {
  const run = beginRun(agent, agent.stack.append(options.plugins ?? []), options, state);
  try {
    const notified = new Set<string>();
    for (const waiting of state.calls) {
      const id = outerIdOf(waiting.id);
      const held = id === waiting.id ? undefined : heldIn(state.durable, id);
      const inner = innerAgentOf(agent, state.messages, id);
      if (held === undefined || inner === undefined) notify(run, waiting, expiredAt, options);
      // The calls of an inner agent are reported together in its run.
      else if (!notified.has(id)) await notifyExpired(inner, held, expiredAt, within(run, options.parentCall));
      notified.add(id);
    }
  } finally {
    await run.end(new AgentError("ERR_AGENT_PENDING_EXPIRED", "The run has expired: no decision was made in time."));
  }
}

function notify(
  runtime: RuntimeContext,
  { id, name, arguments: args, reason, handedOutAt }: PendingCall,
  returnedAt: number,
  { parentCall: call }: AgentRunOptions,
): void {
  const about = { toolCallId: id, toolName: name, ...(call !== undefined && { call }) };
  if (reason === "approval") runtime.notify({ type: "approval", ...about, decision: "expired" });
  const outcome = { outcome: "expired", arguments: args, handedOutAt, returnedAt } as const;
  runtime.notify({ type: "external_result", ...about, ...outcome });
}
