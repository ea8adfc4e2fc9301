import type { Invocation, Settlement } from "@suite/core";
import { toolCall } from "@suite/core";
import type { Answer } from "@suite/core/adapter";
import type { ApprovalDecision, Pending } from "@suite/core/contract";
import { abortable, settlementOf } from "@suite/core/framework";
import type { ToolCallPart } from "@suite/core/messages";
import type { ToolContext } from "./context.js";
import { stackOf } from "./context.js";

/** A request to a person. */
interface PersonRequest {
  readonly reason: Pending["reason"];
  readonly question: string;
  readonly about: ToolCallPart;
  /** The decisions that an approval allows. `undefined` for a question. */
  readonly decisions?: readonly ApprovalDecision[] | undefined;
}

/**
 * The result of a request to a person, and the decisions that were allowed in the end. Layers may have removed some.
 */
interface PersonResult {
  readonly settlement: Settlement<unknown>;
  readonly decisions: readonly ApprovalDecision[] | undefined;
}

/** Asks a person. The answer is the result of the call. */
export async function ask(
  context: ToolContext,
  invocation: Invocation<"tool">,
  question: string,
): Promise<Answer<"tool">> {
  const { id, tool, input } = invocation.request;
  const about = toolCall(id, tool.name, input);
  const { settlement } = await askPerson(context, invocation, { reason: "input", question, about });
  return settlement.status === "suspended" ? { suspended: settlement.pending } : { value: finalOf(settlement) };
}

/** Sends one request to a person through the `humanInput` layers, which may answer instead. */
export async function askPerson(
  { run, stack, onHumanInput }: ToolContext,
  { call, request: { tool, batch, history } }: Invocation<"tool">,
  { reason, question, about, decisions }: PersonRequest,
): Promise<PersonResult> {
  let allowed = decisions;
  const request = { question, about, batch, history, ...(decisions !== undefined && { decisions }) };
  const outcome = await stackOf(tool, stack).call(
    "humanInput",
    run,
    request,
    async (invocation) => {
      const { question } = invocation.request;
      allowed = both(decisions, invocation.request.decisions);
      const answered = await abortable(Promise.resolve(onHumanInput?.(question, about, allowed)), run.signal);
      if (answered !== undefined) invocation.respond({ value: answered });
      else invocation.respond({ suspended: [{ reason, part: about, question }] });
    },
    call,
  );
  const settlement = await settlementOf(outcome);
  if (settlement.status !== "suspended" || allowed === undefined) return { settlement, decisions: allowed };
  const pending = settlement.pending.map((each) => withDecisions(each, allowed));
  return { settlement: { status: "suspended", pending }, decisions: allowed };
}

/** Limits the decisions of a waiting approval to those that the call allows, whichever layer created it. */
function withDecisions(pending: Pending, allowed: readonly ApprovalDecision[] | undefined): Pending {
  if (pending.reason !== "approval") return pending;
  const decisions = both(allowed, pending.decisions);
  return decisions === undefined ? pending : { ...pending, decisions };
}

/** Returns the decisions that are in both lists. `undefined` means all decisions. */
function both(
  all: readonly ApprovalDecision[] | undefined,
  some: readonly ApprovalDecision[] | undefined,
): readonly ApprovalDecision[] | undefined {
  return all === undefined || some === undefined ? (all ?? some) : all.filter((each) => some.includes(each));
}

export function finalOf(settlement: Settlement<unknown>): unknown {
  if (settlement.status === "completed") return settlement.final;
  throw settlement.status === "failed" ? settlement.error : (settlement as { reason: unknown }).reason;
}

export const questionOf = (value: unknown): string => {
  const question = typeof value === "object" && value !== null && "question" in value ? value.question : undefined;
  return typeof question === "string" ? question : "";
};
