import {
  type Answer,
  type Invocation,
  type Pending,
  type Settlement,
  type Suspended,
  type ToolCallPart,
  toolCall,
} from "@suite/core";
import { abortable, settlementOf } from "@suite/core/framework";
import type { ToolContext } from "./context.js";
import { decisionsKey } from "./decisions-key.js";
import { checked } from "./input.js";
import { rejected } from "./messages.js";
import type { AgentTool } from "./tool.js";

/** What a person answers to a request for approval: `true`, or with edited arguments; `false`, or with a message for the model. */
export type Approval =
  | boolean
  | { readonly approve: true; readonly arguments?: unknown; readonly by?: string }
  | { readonly approve: false; readonly message?: string; readonly by?: string };

/** The input that may run, or that the call now waits for a person. */
export async function approved(
  context: ToolContext,
  invocation: Invocation<"tool">,
  tool: AgentTool,
  value: unknown,
): Promise<{ readonly input: unknown } | Suspended> {
  const { run } = context;
  const { id, input } = invocation.request;
  if (run.get(decisionsKey).get(id)?.type === "approve") return { input: value };
  const { needsApproval } = tool;
  const due = typeof needsApproval === "function" ? await needsApproval(value, run) : needsApproval === true;
  if (!due) return { input: value };
  const part = toolCall(id, tool.name, input);
  const settlement = await askPerson(
    context,
    invocation,
    "approval",
    `May ${tool.name} run with these arguments?`,
    part,
  );
  if (settlement.status === "suspended") return { suspended: settlement.pending };
  const answer = approvalOf(finalOf(settlement));
  const by = answer.by === undefined ? {} : { by: answer.by };
  const about = { call: invocation.call, toolCallId: id, toolName: tool.name, ...by };
  if (!answer.approve) {
    run.notify({ type: "approval", decision: "rejected", ...about });
    throw rejected(tool.name, answer.message);
  }
  const edited = answer.arguments !== undefined;
  run.notify({ type: "approval", decision: edited ? "edited" : "approved", ...about });
  if (!edited) return { input: value };
  const changed = await checked(tool, answer.arguments);
  invocation.request = { ...invocation.request, input: answer.arguments };
  return { input: changed };
}

/** What a person says, as the answer of the call. */
export async function ask(
  context: ToolContext,
  invocation: Invocation<"tool">,
  reason: Pending["reason"],
  question: string,
): Promise<Answer<"tool">> {
  const { id, tool, input } = invocation.request;
  const settlement = await askPerson(context, invocation, reason, question, toolCall(id, tool.name, input));
  return settlement.status === "suspended" ? { suspended: settlement.pending } : { value: finalOf(settlement) };
}

/** One request to a person, through the `humanInput` layers, which may answer in the person's place. */
async function askPerson(
  { run, stack, onHumanInput }: ToolContext,
  { call }: Invocation<"tool">,
  reason: Pending["reason"],
  question: string,
  about: ToolCallPart,
): Promise<Settlement<unknown>> {
  const outcome = await stack.call(
    "humanInput",
    run,
    { question, about },
    async (invocation) => {
      const answered = await abortable(Promise.resolve(onHumanInput?.(invocation.request.question, about)), run.signal);
      if (answered !== undefined) invocation.respond({ value: answered });
      else invocation.respond({ suspended: [{ reason, part: about, question: invocation.request.question }] });
    },
    call,
  );
  return settlementOf(outcome);
}

function finalOf(settlement: Settlement<unknown>): unknown {
  if (settlement.status === "completed") return settlement.final;
  throw settlement.status === "failed" ? settlement.error : (settlement as { reason: unknown }).reason;
}

function approvalOf(answer: unknown): { approve: boolean; arguments?: unknown; message?: string; by?: string } {
  if (typeof answer === "object" && answer !== null && "approve" in answer && typeof answer.approve === "boolean") {
    return answer as { approve: boolean };
  }
  return { approve: answer === true };
}

export const questionOf = (value: unknown): string => {
  const question = typeof value === "object" && value !== null && "question" in value ? value.question : undefined;
  return typeof question === "string" ? question : "";
};
