import { type CallId, type Message, type RuntimeContext, stateKey, toolCallsOf } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import type { AgentParts } from "../parts.js";
import type { Decision } from "../pending/decisions.js";
import { type PendingState, pendingOf } from "../pending/state.js";
import { type AgentTool, defineTool } from "./tool.js";

const durableName = "agent.inner";
type Held = Readonly<Record<string, PendingState>>;

/**
 * Suspended runs of inner agents, by the id of the call that started them. They are stored in the outer run's pending
 * state.
 */
const heldKey = stateKey<Held>(durableName, () => ({}), {
  save: (held) => held,
  load: (stored) => stored as Held,
});

const inner: unique symbol = Symbol.for("@suite/agent/inner") as never;

const parameters = { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] } as const;

/** The options of `asTool`. */
export interface AsToolOptions {
  /** The name of the tool. Default: the name of the agent. */
  readonly name?: string;
  /** The description that the model reads. Default: the agent's description. */
  readonly description: string;
  /** The time in milliseconds after which the agent is stopped and the call fails. Default: no limit. */
  readonly timeout?: number;
  /**
   * Streams the agent's text, reasoning and calls as progress of the tool, if the caller's run streams. Emits a
   * `tool_progress` event for each part with `progress: { agent, part }`, and `{ agent, progress }` for progress of the
   * agent's tools. Each part is emitted when it is complete, so that a guard of the caller can judge it. Default false.
   */
  readonly progress?: boolean;
  /**
   * The messages of the caller's conversation that the agent receives before its prompt. `nothing` passes none. `texts`
   * passes the text of the user and the caller, without calls, results and reasoning. A function selects from all
   * messages. In another framework it is always `nothing`. Default: `nothing`, and `texts` for `handoff`.
   */
  readonly sees?: Sees;
}

/** Creates a tool that runs an agent. */
export const innerTool = (
  agent: AgentParts,
  name: string,
  { description, timeout, progress = false, sees = "nothing" }: AsToolOptions,
  hands = false,
): AgentTool & { readonly [inner]: InnerAgent } => ({
  ...defineTool({
    name,
    description,
    ...(timeout !== undefined && { timeout }),
    parameters,
    input: parameters,
    // For loops of other frameworks, which cannot be suspended when this agent is.
    async execute(input, runtime, call) {
      const result = await agent.run(promptOf(input), within(runtime, call));
      if (result.status === "completed") return result.text;
      throw new AgentError(
        "ERR_AGENT_SUSPENDED_ELSEWHERE",
        `The agent that ${name} runs is waiting for a person or another system.`,
      );
    },
  }),
  [inner]: { agent, progress, sees, hands },
});

/**
 * The agent of a tool: whether its output is progress, which messages it receives, and whether its answer becomes the
 * caller's.
 */
interface InnerAgent {
  readonly agent: AgentParts;
  readonly progress: boolean;
  readonly sees: Sees;
  readonly hands: boolean;
}

/** Returns the prompt for an inner agent. */
export const promptOf = (input: unknown): string => (input as { readonly prompt: string }).prompt;

/** Returns the options that make the inner run a part of the outer run. */
export function within(runtime: RuntimeContext, parentCall: CallId | undefined): AgentRunOptions {
  const { sessionId, userId, tenantId, signal } = runtime;
  return {
    parent: runtime,
    signal,
    ...(parentCall !== undefined && { parentCall }),
    ...(sessionId !== undefined && { sessionId }),
    ...(userId !== undefined && { userId }),
    ...(tenantId !== undefined && { tenantId }),
  };
}

const innerOf = (tool: AgentTool): InnerAgent | undefined => (tool as { readonly [inner]?: InnerAgent })[inner];

/** Returns the agent of this tool, or `undefined` for other tools. */
export const agentOf = (tool: AgentTool): AgentParts | undefined => innerOf(tool)?.agent;

/** Returns the messages of a conversation that the agent of this tool receives. */
export const seenBy = (tool: AgentTool, history: readonly Message[] = []): readonly Message[] =>
  seenOf(innerOf(tool)?.sees ?? "nothing", history);

/** True if the tool hands the conversation to its agent. */
export const isHandoff = (tool: AgentTool | undefined): boolean => tool !== undefined && innerOf(tool)?.hands === true;

/** True if the output of the tool's agent is progress of the tool. */
export const reportsProgress = (tool: AgentTool): boolean => innerOf(tool)?.progress === true;

/** Returns the inner agent that this call of the history started, if it called one. */
export function innerAgentOf(
  { options: { tools = [] } }: AgentParts,
  messages: readonly Message[],
  id: string,
): AgentParts | undefined {
  const name = messages.flatMap(toolCallsOf).findLast((call) => call.id === id)?.name;
  const tool = tools.find((each) => each.name === name);
  return tool && agentOf(tool);
}

/** Returns the suspended run of the inner agent that this call started, from the durable state of a run. */
export function heldIn(durable: Readonly<Record<string, unknown>>, id: string): PendingState | undefined {
  const held = Object.hasOwn(durable, durableName) ? (durable[durableName] as Held) : {};
  return Object.hasOwn(held, id) ? held[id] : undefined;
}

/** Returns the suspended run of the inner agent that this call started, if there is one. */
export const heldBy = (runtime: RuntimeContext, id: string): PendingState | undefined =>
  heldIn({ [durableName]: runtime.get(heldKey) }, id);

/**
 * Stores or removes the inner run of this call. Reads the map each time, because other calls of the batch change it
 * too.
 */
export function hold(runtime: RuntimeContext, id: string, state: PendingState | undefined): void {
  const { [id]: before, ...others } = runtime.get(heldKey);
  if (state === undefined && before === undefined) return;
  runtime.set(heldKey, state === undefined ? others : { ...others, [id]: state });
}

/**
 * Returns the outer call of a pending id. Ids of an inner agent's calls start with the id of the call that started it.
 */
export const outerIdOf = (pendingId: string): string => pendingId.split("/", 1)[0] as string;

/** Returns the decisions on the inner calls of this call, with their inner ids. */
export function decisionsFor(id: string, all: ReadonlyMap<string, Decision>): readonly Decision[] {
  const prefix = `${id}/`;
  return [...all.values()]
    .filter((decision) => decision.id.startsWith(prefix))
    .map((decision) => ({ ...decision, id: decision.id.slice(prefix.length) }));
}

/** Returns the calls that an inner agent waits for, with the ids that the outer run uses. */
export const waitingIn = ({ calls }: PendingState, id: string): readonly Pending[] =>
  calls.map((each) => {
    const pending = pendingOf(each);
    return { ...pending, part: { ...pending.part, id: `${id}/${each.id}` } };
  });

/** The part of a conversation that another agent receives: nothing, the text, or the selection of a function. */
type Sees = "nothing" | "texts" | ((history: readonly Message[]) => readonly Message[]);

/** Returns the messages of a conversation that another agent receives. */
function seenOf(sees: Sees, history: readonly Message[]): readonly Message[] {
  if (sees === "nothing") return [];
  if (sees !== "texts") return sees(withoutOpenCalls(history));
  return history.flatMap(({ role, parts }) => {
    const texts = role === "user" || role === "assistant" ? parts.filter(({ type }) => type === "text") : [];
    return texts.length === 0 ? [] : [{ role, parts: texts }];
  });
}

/** Returns the conversation without the calls of its last message, which have no results yet. */
function withoutOpenCalls(history: readonly Message[]): readonly Message[] {
  const last = history.at(-1);
  if (last?.parts.some(({ type }) => type === "tool_call") !== true) return history;
  const parts = last.parts.filter(({ type }) => type === "text");
  return parts.length === 0 ? history.slice(0, -1) : [...history.slice(0, -1), { role: last.role, parts }];
}
