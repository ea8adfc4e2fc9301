import { CoreError, type Invocation, type Message, message } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import type { AgentParts } from "../parts.js";
import type { PendingState } from "../pending/state.js";
import type { ToolContext } from "./context.js";
import { decisionsFor, heldBy, hold, promptOf, waitingIn, within } from "./inner.js";
import { type InnerProgress, reportParts } from "./inner-progress.js";

/** The listener for the output of an inner agent, if that is progress of its tool. */
export interface Progress {
  readonly report: (progress: InnerProgress) => void;
  /** Aborts when the consumer stops reading, so that the agent stops. */
  readonly leaveSignal: AbortSignal;
}

const nothing = (): void => {};

/**
 * Runs or resumes an inner agent: with the decisions made meanwhile, or from the point of an earlier failure
 * if a layer of this call retries. If the inner agent is suspended, the outer run is suspended too.
 *
 * @param seen the messages of the conversation that it receives before its prompt.
 * @param progress the listener if output is progress of the tool. The model is then called with streaming.
 */
export async function runInner(
  agent: AgentParts,
  { batch, resuming }: ToolContext,
  invocation: Invocation<"tool">,
  id: string,
  input: unknown,
  seen: readonly Message[],
  progress?: Progress,
): Promise<{ readonly value: unknown } | Suspended> {
  const { runtime, call } = invocation;
  const signal =
    progress === undefined ? invocation.signal : AbortSignal.any([invocation.signal, progress.leaveSignal]);
  const prompt = promptOf(input);
  // An abandoned attempt may still be ending. This attempt continues from the state that it leaves.
  await batch.leaving.get(id);
  const held = goesOn(batch.prompts, id, prompt) ? heldBy(runtime, id) : undefined;
  batch.prompts.set(id, prompt);
  const begins = seen.length === 0 ? prompt : [...seen, message("user", prompt)];
  const firstInput = held === undefined ? begins : { pending: held, decisions: decisionsFor(id, batch.decisions) };
  const moved = (state: PendingState | undefined): void => {
    try {
      hold(runtime, id, state);
    } catch (error) {
      // An abandoned attempt may end after the outer run. Nothing can continue from its state then.
      if (CoreError.is(error) && error.code === "ERR_RUN_ENDED") return;
      throw error;
    }
    for (const pendingId of batch.decisions.keys()) {
      if (pendingId.startsWith(`${id}/`)) batch.decisions.delete(pendingId); // each counts once
    }
  };
  let unknown = false;
  let started = false;
  batch.begun.add(id);
  try {
    const options = { ...within(runtime, call), signal, onInterrupted: left };
    const running = agent.start(firstInput, options, progress !== undefined, resuming).then(async (begun) => {
      if (progress !== undefined) await reportParts(agent.name, begun.outcome, progress.report);
      return begun.result();
    });
    batch.leaving.set(id, running.then(nothing, nothing));
    const result = await running;
    moved(result.status === "completed" ? undefined : result.pending);
    if (result.status === "completed") return { value: result.text };
    return { suspended: waitingIn(result.pending, id) };
  } catch (error) {
    if (held !== undefined && !started && canGoOn(error)) batch.refusals.set(id, { error, held });
    throw error;
  } finally {
    // The held state contains its work. Without that state its work is unknown, and it must not start again by itself.
    if (!unknown) batch.begun.delete(id);
  }

  function left({ pending }: { readonly pending?: PendingState }): void {
    started = true;
    unknown = pending === undefined;
    moved(pending);
  }
}

/** True if the inner agent can still resume from its state after this error. */
const canGoOn = (error: unknown): boolean => !AgentError.is(error) || error.code === "ERR_AGENT_DECISION_NOT_ALLOWED";

/** True if the call continues the held run. A layer that changes the prompt starts another run. */
const goesOn = (prompts: ReadonlyMap<string, string>, id: string, prompt: string): boolean =>
  !prompts.has(id) || prompts.get(id) === prompt;
