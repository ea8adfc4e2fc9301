import type { Attributes } from "@opentelemetry/api";
import type { ApprovalNotification, GuardrailNotification, Notification, Pending } from "@suite/core";
import { OWN, PROPOSED } from "./attributes/own-names.js";
import { put } from "./attributes/redact.js";
import { ATTR } from "./attributes/semconv.js";
import { SEVERITY } from "./logs/logger.js";
import type { TelemetryEvent } from "./logs/route.js";

/** The events of a notification by the names of open proposals, beside those of the suite's own. */
export function proposedEventsOf(notification: Notification): readonly TelemetryEvent[] {
  switch (notification.type) {
    case "guardrail":
      return guardrailResults(notification);
    case "approval":
      return toolDecision(notification);
    case "suspension":
      return notification.pending.flatMap((pending) => [
        ...(pending.reason === "approval" ? [decided(pending.part, "require_approval")] : []),
        event(PROPOSED.paused, pauseOf(pending)),
      ]);
    case "resume":
      return notification.pending.map((pending) => event(PROPOSED.resumed, pauseOf(pending)));
    default:
      return [];
  }
}

const event = (name: string, attributes: Attributes): TelemetryEvent => ({ name, severity: SEVERITY.info, attributes });

/** One result for each type that was found, as guards of other makers have them. Never a value. */
function guardrailResults(told: GuardrailNotification): readonly TelemetryEvent[] {
  const common: Attributes = {
    [PROPOSED.guardrailComponent]: told.plugin,
    [PROPOSED.guardrailSource]: told.place,
    [PROPOSED.guardrailType]: "action",
    [PROPOSED.guardrailValue]: told.decision,
    [OWN.guardrailEnforced]: told.enforced,
  };
  put(common, PROPOSED.guardrailReason, told.reason);
  const types = Object.keys(told.findings ?? {});
  if (types.length === 0) return [event(PROPOSED.guardrailResult, common)];
  return types.map((type) => event(PROPOSED.guardrailResult, { ...common, [PROPOSED.guardrailCategory]: type }));
}

/** Whether the tool may run. What a person answered while it ran is no decision on that. */
function toolDecision({ decision, toolName, toolCallId }: ApprovalNotification): readonly TelemetryEvent[] {
  if (decision === "answered") return [];
  const allowed = decision === "approved" || decision === "edited";
  return [decided({ name: toolName, id: toolCallId }, allowed ? "allow" : "deny")];
}

const decided = (call: { readonly name: string; readonly id: string }, outcome: string): TelemetryEvent =>
  event(PROPOSED.toolDecision, {
    [ATTR.toolName]: call.name,
    [ATTR.toolCallId]: call.id,
    [PROPOSED.toolDecisionOutcome]: outcome,
  });

const pauseOf = ({ reason, part }: Pending): Attributes => ({
  [PROPOSED.pauseId]: part.id,
  [PROPOSED.pauseReason]: reason === "external" ? "external_system" : "human_input",
});
