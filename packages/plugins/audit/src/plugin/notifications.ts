import type { Notification, RuntimeContext } from "@suite/core";
import type {
  ApprovalNotification,
  AttemptNotification,
  Decided,
  DecisionNotification,
  ExternalResultNotification,
  FaultNotification,
  GuardrailNotification,
  LimitNotification,
  SuspensionNotification,
  UndoNotification,
} from "@suite/core/contract";
import { type Ended, type Facts, pendingDetails } from "../record/facts.js";
import { resultContent } from "../record/messages.js";
import type { ActKind } from "../record/record.js";
import { type ActDescription, acts } from "./acts.js";

/** Returns the facts of a notification. Returns `undefined` if there is nothing to record. */
export function factsOf(notification: Notification, runtime: RuntimeContext): Facts | undefined {
  switch (notification.type) {
    case "decision":
      return decision(notification);
    case "guardrail":
      return guardrail(notification);
    case "approval":
      return approval(notification);
    case "external_result":
      return externalResult(notification);
    case "undo":
      return undo(notification);
    case "limit":
      return limit(notification);
    case "suspension":
    case "resume":
      return suspension(notification);
    case "attempt":
      return attempt(notification, runtime);
    case "fault":
      return fault(notification);
  }
}

const decision = (told: DecisionNotification): Facts => ({
  stage: "outcome",
  type: "decision",
  operation: told.place ?? "decide",
  call: told.call,
  target: { name: told.plugin },
  decision: told.decision,
  details: reasonsOf(told),
});

/** Returns the reason and the facts of a plugin's decision. */
function reasonsOf({ enforced, reason, details }: Partial<Decided>): Record<string, unknown> {
  const reasons: Record<string, unknown> = {};
  if (enforced !== undefined) reasons.enforced = enforced;
  if (reason !== undefined) reasons.reason = reason;
  if (details) reasons.facts = details;
  return reasons;
}

const guardrail = (told: GuardrailNotification): Facts => ({
  stage: "outcome",
  type: "guardrail",
  operation: told.place,
  call: told.call,
  target: { name: told.plugin },
  decision: told.decision,
  details: Object.assign(reasonsOf(told), told.findings && { findings: told.findings }),
});

const approval = ({ call, toolCallId, toolName, decision, by }: ApprovalNotification): Facts => ({
  stage: "outcome",
  type: "approval",
  operation: "approve",
  call,
  target: { name: toolName, id: toolCallId },
  decision,
  details: by === undefined ? undefined : { by },
});

const externalResult = (told: ExternalResultNotification): Facts => ({
  stage: "outcome",
  type: "external_result",
  operation: "execute_tool",
  call: told.call,
  target: { name: told.toolName, id: told.toolCallId },
  ...externalEnd(told.outcome),
  details: {
    handedOutAt: timeOf(told.handedOutAt),
    ...(told.startedAt !== undefined && { startedAt: timeOf(told.startedAt) }),
    ...(told.endedAt !== undefined && { endedAt: timeOf(told.endedAt) }),
    returnedAt: timeOf(told.returnedAt),
  },
  content: () => ({ arguments: told.arguments, response: resultContent(told.response) }),
});

const undo = (told: UndoNotification): Facts => ({
  stage: "outcome",
  type: "undo",
  operation: "undo_tool",
  target: { name: told.toolName, id: told.toolCallId },
  ended: told.outcome === "completed" ? { status: "completed" } : { status: "failed", error: told.error },
  details: { startedAt: timeOf(told.startedAt), endedAt: timeOf(told.endedAt) },
  content: () => ({ arguments: told.arguments }),
});

function externalEnd(outcome: ExternalResultNotification["outcome"]): { ended: Ended; decision?: string } {
  if (outcome === "denied" || outcome === "expired") return { ended: { status: "cancelled" }, decision: outcome };
  return { ended: { status: outcome } };
}

const limit = (told: LimitNotification): Facts => ({
  stage: "outcome",
  type: "limit",
  operation: "limit_reached",
  call: told.call,
  target: { name: told.limit },
  details: { maximum: told.maximum, ...(told.plugin !== undefined && { plugin: told.plugin }), ...reasonsOf(told) },
});

const suspension = ({ type, call, pending }: SuspensionNotification): Facts => ({
  stage: "outcome",
  type,
  operation: type === "suspension" ? "suspend" : "resume",
  call,
  details: { pending: pendingDetails(pending) },
  content: () => pending.map(({ part, question }) => ({ id: part.id, arguments: part.arguments, question })),
});

/** Returns a further outcome of the call of an attempt, if calls of that kind are recorded. */
function attempt(told: AttemptNotification, runtime: RuntimeContext): Facts | undefined {
  const { call, request, settlement, isError, startedAt, endedAt } = told;
  const completed = { status: isError === true ? "failed" : "completed" } as const;
  const act: ActDescription<ActKind> | undefined = acts[call.kind as ActKind];
  if (act === undefined) return undefined;
  const called = { request, runtime } as Parameters<typeof act.target>[0];
  return {
    stage: "outcome",
    type: act.type,
    operation: act.operation(called),
    call,
    target: act.target(called),
    ended: settlement.status === "completed" ? completed : settlement,
    details: { attempt: told.attempt, startedAt: timeOf(startedAt), endedAt: timeOf(endedAt) },
  };
}

const fault = ({ call, where, error }: FaultNotification): Facts => ({
  stage: "outcome",
  type: "fault",
  operation: "fault",
  call,
  ended: { status: "failed", error },
  details: { where },
});

/** Formats milliseconds since the epoch. Returns an invalid time unchanged. */
const timeOf = (milliseconds: number): string | number =>
  Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : milliseconds;
