import { type CallId, type Message, type Pending, type RuntimeContext, stateKey, toolCallsOf } from "@suite/core";
import { AgentError } from "../errors.js";
import type { AgentRunOptions } from "../options.js";
import type { AgentParts } from "../parts.js";
import type { Decision } from "../pending/decisions.js";
import { type PendingState, pendingOf } from "../pending/state.js";
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

/** The options of `asTool`. */
export interface AsToolOptions {
  /** The name of the tool. Default: the agent's. */
  readonly name?: string;
  readonly description: string;
  /** Milliseconds after which the agent is told to stop, and the call has failed. Default: no limit. */
  readonly timeout?: number;
  /**
   * Streams what the agent says, thinks and calls as progress of the tool, where the caller's run streams: a `tool_progress`
   * event for each part, whose `progress` is `{ agent, part }`, and `{ agent, progress }` for progress of its own tools. A part
   * comes whole, so that a guard of the caller can judge it. Default false.
   */
  readonly progress?: boolean;
  /**
   * The messages of the caller's conversation that the agent sees before its prompt. `nothing`; `texts`, what the user and the
   * caller have said, without calls, results and reasoning; or what a function makes of all. In a framework other than this
   * one it is nothing. Default: `nothing`, and `texts` of `handoff`.
   */
  readonly sees?: Sees;
}

/** A tool that is an agent. */
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
    // For a loop other than ours, which cannot suspend itself where the agent is suspended.
    async execute(input, runtime, call) {
      const result = await agent.run(promptOf(input), within(runtime, call));
      if (result.status === "completed") return result.text;
      throw new AgentError(
        "ERR_AGENT_SUSPENDED_ELSEWHERE",
        `The agent behind ${name} waits for a person or another system.`,
      );
    },
  }),
  [inner]: { agent, progress, sees, hands },
});

/** An agent that is a tool: whether what it says is progress of that, what it sees, and whether its answer is the caller's. */
interface InnerAgent {
  readonly agent: AgentParts;
  readonly progress: boolean;
  readonly sees: Sees;
  readonly hands: boolean;
}

/** The prompt that an inner agent is given. */
export const promptOf = (input: unknown): string => (input as { readonly prompt: string }).prompt;

/** The inner run is a part of the outer one. */
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

/** The agent that this tool is, if it is one. */
export const agentOf = (tool: AgentTool): AgentParts | undefined => innerOf(tool)?.agent;

/** The messages that the agent which this tool is sees of a conversation. */
export const seenBy = (tool: AgentTool, history: readonly Message[] = []): readonly Message[] =>
  seenOf(innerOf(tool)?.sees ?? "nothing", history);

/** Whether a conversation is handed to the agent that this tool is. */
export const isHandoff = (tool: AgentTool | undefined): boolean => tool !== undefined && innerOf(tool)?.hands === true;

/** Whether what the agent that this tool is says is progress. */
export const tellsProgress = (tool: AgentTool): boolean => innerOf(tool)?.progress === true;

/** The inner agent that this call of the history started, if it is one's. */
export function innerAgentOf(
  { options: { tools = [] } }: AgentParts,
  messages: readonly Message[],
  id: string,
): AgentParts | undefined {
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

/** The calls that an inner agent waits for, as the outer one does. */
export const waitingIn = ({ calls }: PendingState, id: string): readonly Pending[] =>
  calls.map((each) => {
    const pending = pendingOf(each);
    return { ...pending, part: { ...pending.part, id: `${id}/${each.id}` } };
  });

/** The part of a conversation that another agent sees: nothing, what was said, or what a function makes of it. */
type Sees = "nothing" | "texts" | ((history: readonly Message[]) => readonly Message[]);

/** The messages of a conversation that another agent sees. */
function seenOf(sees: Sees, history: readonly Message[]): readonly Message[] {
  if (sees === "nothing") return [];
  if (sees !== "texts") return sees(withoutOpenCalls(history));
  return history.flatMap(({ role, parts }) => {
    const said = role === "user" || role === "assistant" ? parts.filter(({ type }) => type === "text") : [];
    return said.length === 0 ? [] : [{ role, parts: said }];
  });
}

/** The conversation without the calls of its last message, of which none has a result yet. */
function withoutOpenCalls(history: readonly Message[]): readonly Message[] {
  const last = history.at(-1);
  if (last?.parts.some(({ type }) => type === "tool_call") !== true) return history;
  const parts = last.parts.filter(({ type }) => type === "text");
  return parts.length === 0 ? history.slice(0, -1) : [...history.slice(0, -1), { role: last.role, parts }];
}
