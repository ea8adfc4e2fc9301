import {
  type Answer,
  type CallId,
  CoreError,
  type Invocation,
  type Message,
  type Pending,
  type RuntimeContext,
  stateKey,
  toolCallsOf,
} from "@suite/core";
import type { Agent } from "../agent.js";
import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import type { Decision } from "../pending/decisions.js";
import { type PendingState, pendingOf } from "../pending/state.js";
import type { ToolContext } from "./context.js";
import { type AgentTool, defineTool } from "./tool.js";

const durableName = "agent.inner";
type Held = Readonly<Record<string, PendingState>>;

/** Suspended runs of inner agents, by the call that started them. They travel with the outer run's pending state. */
const heldKey = stateKey<Held>(durableName, () => ({}), {
  save: (held) => held,
  load: (stored) => stored as Held,
});

const inner: unique symbol = Symbol.for("@suite/agent/inner") as never;

const parameters = { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] } as const;

/** A tool that is an agent. */
export const innerTool = (
  agent: Agent,
  name: string,
  description: string,
  timeout?: number,
): AgentTool & { readonly [inner]: Agent } => ({
  ...defineTool({
    name,
    description,
    ...(timeout !== undefined && { timeout }),
    parameters,
    input: parameters,
    // For a loop other than ours, which cannot suspend itself where the agent is suspended.
    async execute(input, runtime, call) {
      const result = await agent.run(promptOf(input), within(runtime, call));
      if (result.status === "completed") return result.text;
      throw new AgentError("ERR_SUSPENDED_ELSEWHERE", `The agent behind ${name} waits for a person or another system.`);
    },
  }),
  [inner]: agent,
});

const nothing = (): void => {};

const promptOf = (input: unknown): string => (input as { readonly prompt: string }).prompt;

/** The inner run is a part of the outer one. */
export function within(runtime: RuntimeContext, parentCall: CallId | undefined): AgentRunOptions {
  const { sessionId, userId, signal } = runtime;
  return {
    parent: runtime,
    signal,
    ...(parentCall !== undefined && { parentCall }),
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
  };
}

/** The agent that this tool is, if it is one. */
export const agentOf = (tool: AgentTool): Agent | undefined => (tool as { readonly [inner]?: Agent })[inner];

/** The inner agent that this call of the history started, if it is one's. */
export function innerAgentOf(
  { options: { tools = [] } }: Agent,
  messages: readonly Message[],
  id: string,
): Agent | undefined {
  const name = messages.flatMap(toolCallsOf).findLast((call) => call.id === id)?.name;
  const tool = tools.find((each) => each.name === name);
  return tool && agentOf(tool);
}

/** The suspended run of the inner agent that this call started, of a run's durable state. */
export function heldIn(durable: Readonly<Record<string, unknown>>, id: string): PendingState | undefined {
  const held = Object.hasOwn(durable, durableName) ? (durable[durableName] as Held) : {};
  return Object.hasOwn(held, id) ? held[id] : undefined;
}

/** The suspended run of the inner agent that this call started, if there is one. */
export const heldBy = (runtime: RuntimeContext, id: string): PendingState | undefined =>
  heldIn({ [durableName]: runtime.get(heldKey) }, id);

/** Keeps the run of an inner agent for this call, or lets it go. Others of the same batch keep theirs meanwhile: read anew each time. */
export function hold(runtime: RuntimeContext, id: string, state: PendingState | undefined): void {
  const { [id]: before, ...others } = runtime.get(heldKey);
  if (state === undefined && before === undefined) return;
  runtime.set(heldKey, state === undefined ? others : { ...others, [id]: state });
}

/** The call that a pending id belongs to: an inner agent's calls carry the id of the call that started it in front. */
export const outerIdOf = (pendingId: string): string => pendingId.split("/", 1)[0] as string;

/** The decisions on the inner calls of this call, by their own ids. */
export function decisionsFor(id: string, all: ReadonlyMap<string, Decision>): readonly Decision[] {
  const prefix = `${id}/`;
  return [...all.values()]
    .filter((decision) => decision.id.startsWith(prefix))
    .map((decision) => ({ ...decision, id: decision.id.slice(prefix.length) }));
}

/**
 * Runs an inner agent, or lets it go on: with what was decided meanwhile, or from where an attempt failed that a layer of
 * this call tries again. Where it is suspended, the outer run is.
 */
export async function runInner(
  agent: Agent,
  { batch, resuming }: ToolContext,
  invocation: Invocation<"tool">,
  id: string,
  input: unknown,
): Promise<Answer<"tool">> {
  const { runtime, call, signal } = invocation;
  const prompt = promptOf(input);
  // An attempt that was given up may be on its way out still: what it leaves is what this one goes on from.
  await batch.leaving.get(id);
  const held = goesOn(batch.prompts, id, prompt) ? heldBy(runtime, id) : undefined;
  batch.prompts.set(id, prompt);
  const asked = held === undefined ? prompt : { pending: held, decisions: decisionsFor(id, batch.decisions) };
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
    const running = agent.start(asked, options, false, resuming).then((begun) => begun.result());
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
const canGoOn = (error: unknown): boolean => !AgentError.is(error) || error.code === "ERR_DECISION_NOT_ALLOWED";

/** The calls that an inner agent waits for, as the outer one does. */
export const waitingIn = ({ calls }: PendingState, id: string): readonly Pending[] =>
  calls.map((each) => {
    const pending = pendingOf(each);
    return { ...pending, part: { ...pending.part, id: `${id}/${each.id}` } };
  });

/** A layer that asks with another prompt asks for another run. */
const goesOn = (prompts: ReadonlyMap<string, string>, id: string, prompt: string): boolean =>
  !prompts.has(id) || prompts.get(id) === prompt;
