import { CoreError, type Invocation, type Message, message, type Suspended } from "@suite/core";
import { AgentError } from "../errors.js";
import type { AgentParts } from "../parts.js";
import type { PendingState } from "../pending/state.js";
import type { ToolContext } from "./context.js";
import { decisionsFor, heldBy, hold, promptOf, waitingIn, within } from "./inner.js";
import { type InnerProgress, tellParts } from "./inner-progress.js";

/** The listener for what an inner agent says, where that is progress of its tool. */
export interface Progress {
  readonly tell: (progress: InnerProgress) => void;
  /** Aborts when nobody listens any more: the agent is to stop. */
  readonly left: AbortSignal;
}

const nothing = (): void => {};

/**
 * Runs an inner agent, or lets it go on: with what was decided meanwhile, or from where an attempt failed that a layer of
 * this call tries again. Where it is suspended, the outer run is.
 *
 * @param seen what it sees of the conversation, before its prompt.
 * @param progress given where what it says is progress of the tool: the model is asked for streams then.
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
  const signal = progress === undefined ? invocation.signal : AbortSignal.any([invocation.signal, progress.left]);
  const prompt = promptOf(input);
  // An attempt that was given up may be on its way out still: what it leaves is what this one goes on from.
  await batch.leaving.get(id);
  const held = goesOn(batch.prompts, id, prompt) ? heldBy(runtime, id) : undefined;
  batch.prompts.set(id, prompt);
  const begins = seen.length === 0 ? prompt : [...seen, message("user", prompt)];
  const asked = held === undefined ? begins : { pending: held, decisions: decisionsFor(id, batch.decisions) };
  const moved = (state: PendingState | undefined): void => {
    try {
      hold(runtime, id, state);
    } catch (error) {
      // An attempt that was given up may come out behind the end of the outer run: nothing goes on from it any more.
      if (CoreError.is(error) && error.code === "ERR_RUN_ENDED") return;
      throw error;
    }
    for (const pendingId of batch.decisions.keys()) {
      if (pendingId.startsWith(`${id}/`)) batch.decisions.delete(pendingId); // each counts once
    }
  };
  let unknown = false;
  let told = false;
  batch.begun.add(id);
  try {
    const options = { ...within(runtime, call), signal, onInterrupted: left };
    const running = agent.start(asked, options, progress !== undefined, resuming).then(async (begun) => {
      if (progress !== undefined) await tellParts(agent.name, begun.outcome, progress.tell);
      return begun.result();
    });
    batch.leaving.set(id, running.then(nothing, nothing));
    const result = await running;
    moved(result.status === "completed" ? undefined : result.pending);
    if (result.status === "completed") return { value: result.text };
    return { suspended: waitingIn(result.pending, id) };
  } catch (error) {
    if (held !== undefined && !told && canGoOn(error)) batch.refusals.set(id, { error, held });
    throw error;
  } finally {
    // What it did is in what is held. Without that nobody knows, and it must not start again by itself.
    if (!unknown) batch.begun.delete(id);
  }

  function left({ pending }: { readonly pending?: PendingState }): void {
    told = true;
    unknown = pending === undefined;
    moved(pending);
  }
}

/** Whether the error of an inner agent leaves its state as good as it was. */
const canGoOn = (error: unknown): boolean => !AgentError.is(error) || error.code === "ERR_AGENT_DECISION_NOT_ALLOWED";

/** A layer that asks with another prompt asks for another run. */
const goesOn = (prompts: ReadonlyMap<string, string>, id: string, prompt: string): boolean =>
  !prompts.has(id) || prompts.get(id) === prompt;
