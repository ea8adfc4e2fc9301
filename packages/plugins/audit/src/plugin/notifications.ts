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

const decision = (notification: DecisionNotification): Facts => ({
  stage: "outcome",
  type: "decision",
  operation: notification.place ?? "decide",
  call: notification.call,
  target: { name: notification.plugin },
  decision: notification.decision,
  details: reasonsOf(notification),
});

/** Returns the reason and the facts of a plugin's decision. */
function reasonsOf({ enforced, reason, details }: Partial<Decided>): Record<string, unknown> {
  const reasons: Record<string, unknown> = {};
  if (enforced !== undefined) reasons.enforced = enforced;
  if (reason !== undefined) reasons.reason = reason;
  if (details) reasons.facts = details;
  return reasons;
}

const guardrail = (notification: GuardrailNotification): Facts => ({
  stage: "outcome",
  type: "guardrail",
  operation: notification.place,
  call: notification.call,
  target: { name: notification.plugin },
  decision: notification.decision,
  details: Object.assign(reasonsOf(notification), notification.findings && { findings: notification.findings }),
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

const externalResult = (notification: ExternalResultNotification): Facts => ({
  stage: "outcome",
  type: "external_result",
  operation: "execute_tool",
  call: notification.call,
  target: { name: notification.toolName, id: notification.toolCallId },
  ...externalEnd(notification.outcome),
  details: {
    handedOutAt: timeOf(notification.handedOutAt),
    ...(notification.startedAt !== undefined && { startedAt: timeOf(notification.startedAt) }),
    ...(notification.endedAt !== undefined && { endedAt: timeOf(notification.endedAt) }),
    returnedAt: timeOf(notification.returnedAt),
  },
  content: () => ({ arguments: notification.arguments, response: resultContent(notification.response) }),
});

const undo = (notification: UndoNotification): Facts => ({
  stage: "outcome",
  type: "undo",
  operation: "undo_tool",
  target: { name: notification.toolName, id: notification.toolCallId },
  ended:
    notification.outcome === "completed" ? { status: "completed" } : { status: "failed", error: notification.error },
  details: { startedAt: timeOf(notification.startedAt), endedAt: timeOf(notification.endedAt) },
  content: () => ({ arguments: notification.arguments }),
});

function externalEnd(outcome: ExternalResultNotification["outcome"]): { ended: Ended; decision?: string } {
  if (outcome === "denied" || outcome === "expired") return { ended: { status: "cancelled" }, decision: outcome };
  return { ended: { status: outcome } };
}

const limit = (notification: LimitNotification): Facts => ({
  stage: "outcome",
  type: "limit",
  operation: "limit_reached",
  call: notification.call,
  target: { name: notification.limit },
  details: {
    maximum: notification.maximum,
    ...(notification.plugin !== undefined && { plugin: notification.plugin }),
    ...reasonsOf(notification),
  },
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
function attempt(notification: AttemptNotification, runtime: RuntimeContext): Facts | undefined {
  const { call, request, settlement, isError, startedAt, endedAt } = notification;
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
    details: { attempt: notification.attempt, startedAt: timeOf(startedAt), endedAt: timeOf(endedAt) },
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
