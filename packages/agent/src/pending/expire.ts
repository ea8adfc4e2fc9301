import { type RuntimeContext, toolCallsOf } from "@suite/core";
import type { Agent } from "../agent.js";
import { beginRun } from "../begin.js";
import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import { heldBy, innerAgentOf, outerIdOf, type Runs, within } from "../tools/inner.js";
import { authenticate, claim, isExpired } from "./open.js";
import type { PendingCall, PendingState } from "./state.js";

/** `agent.expire`. */
export async function expirePending(agent: Agent, pending: PendingState, options: AgentRunOptions): Promise<boolean> {
  const state = await authenticate(pending, agent, options);
  if (isExpired(state)) return claimExpired(agent, state, options);
  const until = new Date(state.expiresAt).toISOString();
  throw new AgentError("ERR_PENDING_NOT_EXPIRED", `The pending state can be resumed until ${until}. Expire it later.`);
}

/** Uses an expired state up, and tells of it. False where it was used before: then what became of its calls was told. */
export async function claimExpired(agent: Agent, state: PendingState, options: AgentRunOptions): Promise<boolean> {
  if (!(await claim(state, agent))) return false;
  await tellExpired(agent, state, state.expiresAt, options);
  return true;
}

/**
 * Tells the plugins of each call that nobody answered in time, in a run in which nothing else happens.
 *
 * @param expiredAt milliseconds since the epoch.
 */
export async function tellExpired(
  agent: Agent,
  state: PendingState,
  expiredAt: number,
  options: AgentRunOptions,
): Promise<void> {
  const run = beginRun(agent, agent.stack.append(options.plugins ?? []), options, state);
  try {
    const asked = new Map(toolCallsOf(state.messages.at(-1)?.parts ?? []).map(({ id, name }) => [id, name]));
    const ids = new Set(asked.keys());
    const told = new Set<string>();
    for (const waiting of state.calls) {
      const id = outerIdOf(waiting.id, ids) ?? waiting.id;
      const held = id === waiting.id ? undefined : heldBy(run, id);
      const inner = innerAgent(agent, asked.get(id));
      if (held === undefined || inner === undefined) tell(run, waiting, expiredAt, options);
      // An inner agent's calls are told in its own run, all at once.
      else if (!told.has(id)) await inner.tellExpired(held, expiredAt, within(run, options.parentCall));
      told.add(id);
    }
  } finally {
    await run.end();
  }
}

function innerAgent({ options: { tools = [] } }: Agent, name: string | undefined): Runs | undefined {
  const tool = tools.find((each) => each.name === name);
  return tool && innerAgentOf(tool);
}

function tell(
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
