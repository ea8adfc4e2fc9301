import {
  type Agent,
  type AgentResult,
  type AgentTool,
  answer,
  approve,
  askPerson,
  cancel,
  type Decision,
  defineTool,
  type PendingCall,
  reject,
  result,
} from "@suite/agent";
import type { Delta } from "@suite/core";
import type { Plan } from "./random-agent-plan.js";

/** The tools that all random agents have. */
export const commonTools = (): readonly AgentTool[] => [
  defineTool({ name: "add", execute: () => 3 }),
  defineTool({ name: "fail", execute: () => Promise.reject(new Error("no")) }),
  defineTool({
    name: "count",
    async *execute() {
      yield 1;
      yield 2;
    },
  }),
  defineTool({ name: "ship" }),
  defineTool({ name: "ask", input: { type: "object" }, execute: () => 1 }),
  askPerson(),
];

/** The decisions that are possible on a call. @param said by people, and by tools that run elsewhere. */
export function possibleDecisions(call: PendingCall, said = "no"): readonly Decision[] {
  const possible: Record<PendingCall["reason"], readonly Decision[]> = {
    approval: [approve(call), approve(call, { arguments: { other: 1 } }), reject(call, said)],
    external: [result(call, { done: said }), result(call, said, { isError: true }), cancel(call)],
    input: [answer(call, "yes"), answer(call, said), cancel(call)],
  };
  return possible[call.reason];
}

/** Runs one turn, whole or streamed; its reader stops or aborts where the plan says so. */
export async function runTurn(
  agent: Agent,
  input: Parameters<Agent["run"]>[0],
  { stream, stops, aborts }: Plan["turns"][number],
  aborting: AbortController,
  sessionId?: string,
  read: (delta: Delta) => void = () => {},
): Promise<AgentResult> {
  const options = { signal: aborting.signal, ...(sessionId !== undefined && { sessionId }) };
  if (!stream) {
    const timer = aborts < 8 ? setTimeout(() => aborting.abort(), aborts) : undefined;
    return agent.run(input, options).finally(() => clearTimeout(timer));
  }
  const streamed = agent.stream(input, options);
  let count = 0;
  for await (const delta of streamed) {
    read(delta);
    if (count === stops) break;
    if (count++ === aborts) aborting.abort(new DOMException("took too long", "TimeoutError"));
  }
  return streamed.result;
}
