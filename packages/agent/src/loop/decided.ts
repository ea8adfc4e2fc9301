import {
  type ApprovalNotification,
  type CallId,
  type ExternalResultNotification,
  type RuntimeContext,
  toolCallResponse,
} from "@suite/core";
import type { Decision } from "../pending/decisions.js";
import type { PendingCall } from "../pending/state.js";
import type { Batch } from "../tools/calls.js";
import { outerIdOf } from "../tools/inner.js";
import { answerTool } from "../tools/memo.js";
import { rejected } from "../tools/messages.js";
import { ledgerOf } from "../totals/ledger.js";

/** Turns what was decided, or came back, into answers of the waiting calls. Approved calls are left to be run. */
export function applyDecisions(
  batch: Batch,
  decisions: ReadonlyMap<string, Decision>,
  runtime: RuntimeContext,
  call: CallId,
): void {
  const still: PendingCall[] = [];
  const decided = new Set([...decisions.keys()].map(outerIdOf));
  for (const waiting of batch.waiting) {
    const decision = decisions.get(waiting.id);
    if (outerIdOf(waiting.id) !== waiting.id) {
      // An inner agent's: it is given its decisions when it is run again, and says itself what it still waits for.
      if (decision !== undefined) batch.decisions.set(waiting.id, decision);
      if (!decided.has(outerIdOf(waiting.id))) still.push(waiting);
    } else if (decision === undefined) still.push(waiting);
    else apply(batch, waiting, decision, runtime, call);
  }
  batch.waiting = still;
}

function apply(batch: Batch, waiting: PendingCall, decision: Decision, runtime: RuntimeContext, call: CallId): void {
  const { id, name, handedOutAt } = waiting;
  const about = { call, toolCallId: id, toolName: name };
  const made = approvalOf(decision);
  const by = "by" in decision && decision.by !== undefined ? { by: decision.by } : {};
  if (made !== undefined) runtime.notify({ type: "approval", ...about, decision: made, ...by });
  if (decision.type === "approve") {
    const { tool = name, arguments: args = waiting.arguments } = decision;
    batch.approved.set(id, { name: tool, arguments: args, shown: { tool: name, arguments: waiting.arguments } });
    if (made === "edited") batch.edited.set(id, { name: tool, arguments: args });
    return;
  }
  if (decision.type === "answer" && answerTool(runtime, id, decision.response)) {
    runtime.notify({ type: "approval", ...about, decision: "answered", ...by });
    return; // the tool asked, and runs again
  }
  const { outcome, response } = endOf(name, decision);
  if (outcome === "completed" || outcome === "failed") ledgerOf(runtime).toolCalls++;
  const returnedAt = Date.now();
  const told = { arguments: waiting.arguments, outcome, response, handedOutAt, returnedAt, ...timesOf(decision) };
  runtime.notify({ type: "external_result", ...about, ...told });
  batch.done.set(id, toolCallResponse(id, response, { isError: outcome !== "completed" }));
}

/** A decision on an approval, in the notification's words; undefined where there was nothing to approve. */
function approvalOf(decision: Decision): ApprovalNotification["decision"] | undefined {
  switch (decision.type) {
    case "approve":
      return decision.tool === undefined && decision.arguments === undefined ? "approved" : "edited";
    case "reject":
      return "rejected";
    case "respond":
      return "responded";
    default:
      return undefined;
  }
}

/** The times of a tool that ran elsewhere, as far as its result tells. */
function timesOf(decision: Decision): Pick<ExternalResultNotification, "startedAt" | "endedAt"> {
  if (decision.type !== "result") return {};
  const { startedAt, endedAt } = decision;
  return { ...(startedAt !== undefined && { startedAt }), ...(endedAt !== undefined && { endedAt }) };
}

/** The outcome of a call that is not to be run here, and what the model is told. */
function endOf(
  name: string,
  decision: Exclude<Decision, { type: "approve" }>,
): { readonly outcome: ExternalResultNotification["outcome"]; readonly response: unknown } {
  const { type } = decision;
  if (type === "reject") return { outcome: "denied", response: rejected(name, decision.message).message };
  if (type === "answer" || type === "respond") return { outcome: "completed", response: decision.response };
  if (type === "result") {
    return { outcome: decision.isError === true ? "failed" : "completed", response: decision.response };
  }
  const said = decision.message === undefined ? "" : ` ${decision.message}`;
  return { outcome: "cancelled", response: `This call of ${name} was cancelled.${said}` };
}
