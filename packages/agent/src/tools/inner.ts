import { type Answer, type CallId, type Invocation, type RuntimeContext, stateKey } from "@suite/core";
import { AgentError } from "../errors.js";
import type { AgentInput, AgentRunOptions } from "../options.js";
import type { Decision } from "../pending/decisions.js";
import { type PendingState, pendingOf } from "../pending/state.js";
import type { AgentResult } from "../result.js";
import { decisionsKey } from "./decisions-key.js";
import { type AgentTool, defineTool } from "./tool.js";

/** What is asked of an inner agent. */
export interface Runs {
  run(input: AgentInput, options: AgentRunOptions): Promise<AgentResult>;
  tellExpired(state: PendingState, expiredAt: number, options: AgentRunOptions): Promise<void>;
}

/** Suspended runs of inner agents, by the call that started them. They travel with the outer run's pending state. */
const heldKey = stateKey<Readonly<Record<string, PendingState>>>("agent.inner", () => ({}), {
  save: (held) => held,
  load: (stored) => stored as Record<string, PendingState>,
});

const inner: unique symbol = Symbol.for("@suite/agent/inner") as never;

const parameters = { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] } as const;

/** A tool that is an agent. */
export const innerTool = (agent: Runs, name: string, description: string): AgentTool & { readonly [inner]: Runs } => ({
  ...defineTool({
    name,
    description,
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

/** The suspended run of the inner agent that this call started, if there is one. */
export function heldBy(runtime: RuntimeContext, id: string): PendingState | undefined {
  const held = runtime.get(heldKey);
  return Object.hasOwn(held, id) ? held[id] : undefined;
}

/** The agent that this tool is, if it is one. */
export const innerAgentOf = (tool: AgentTool): Runs | undefined => (tool as { readonly [inner]?: Runs })[inner];

/** The call that a pending id belongs to: an inner agent's calls carry the id of the call that started it in front. */
export const outerIdOf = (pendingId: string, ids: ReadonlySet<string>): string | undefined =>
  ids.has(pendingId) ? pendingId : [...ids].find((id) => pendingId.startsWith(`${id}/`));

/** Runs an inner agent, or lets it go on with what was decided meanwhile; it is suspended, the outer run is. */
export async function runInner(agent: Runs, invocation: Invocation<"tool">, input: unknown): Promise<Answer<"tool">> {
  const { runtime, call, request } = invocation;
  const { id } = request;
  const { [id]: held, ...others } = runtime.get(heldKey);
  const decisions = decisionsFor(id, runtime.get(decisionsKey));
  const asked = held === undefined ? promptOf(input) : { pending: held, decisions };
  const result = await agent.run(asked, within(runtime, call));
  if (result.status === "completed") {
    runtime.set(heldKey, others);
    return { value: result.text };
  }
  runtime.set(heldKey, { ...others, [id]: result.pending });
  const suspended = result.pending.calls.map((each) => {
    const pending = pendingOf(each);
    return { ...pending, part: { ...pending.part, id: `${id}/${each.id}` } };
  });
  return { suspended };
}

function decisionsFor(id: string, all: ReadonlyMap<string, Decision>): readonly Decision[] {
  const prefix = `${id}/`;
  return [...all.values()]
    .filter((decision) => decision.id.startsWith(prefix))
    .map((decision) => ({ ...decision, id: decision.id.slice(prefix.length) }));
}
