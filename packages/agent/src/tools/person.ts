import { type Answer, type Invocation, type Pending, type Settlement, type ToolCallPart, toolCall } from "@suite/core";
import { abortable, settlementOf } from "@suite/core/framework";
import type { ToolContext } from "./context.js";
import { stackOf } from "./stack.js";

/** What a person answers to a request for approval: `true`, or with edited arguments; `false`, or with a message for the model. */
export type Approval =
  | boolean
  | { readonly approve: true; readonly arguments?: unknown; readonly by?: string }
  | { readonly approve: false; readonly message?: string; readonly by?: string };

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
export async function askPerson(
  { run, stack, onHumanInput }: ToolContext,
  { call, request }: Invocation<"tool">,
  reason: Pending["reason"],
  question: string,
  about: ToolCallPart,
): Promise<Settlement<unknown>> {
  const outcome = await stackOf(request.tool, stack).call(
    "humanInput",
    run,
    { question, about, batch: request.batch, history: request.history },
    async (invocation) => {
      const answered = await abortable(Promise.resolve(onHumanInput?.(invocation.request.question, about)), run.signal);
      if (answered !== undefined) invocation.respond({ value: answered });
      else invocation.respond({ suspended: [{ reason, part: about, question: invocation.request.question }] });
    },
    call,
  );
  return settlementOf(outcome);
}

export function finalOf(settlement: Settlement<unknown>): unknown {
  if (settlement.status === "completed") return settlement.final;
  throw settlement.status === "failed" ? settlement.error : (settlement as { reason: unknown }).reason;
}

export function approvalOf(answer: unknown): { approve: boolean; arguments?: unknown; message?: string; by?: string } {
  if (typeof answer === "object" && answer !== null && "approve" in answer && typeof answer.approve === "boolean") {
    return answer as { approve: boolean };
  }
  return { approve: answer === true };
}

export const questionOf = (value: unknown): string => {
  const question = typeof value === "object" && value !== null && "question" in value ? value.question : undefined;
  return typeof question === "string" ? question : "";
};
