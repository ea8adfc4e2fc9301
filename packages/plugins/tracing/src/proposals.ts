import type { Attributes } from "@opentelemetry/api";
import type { Notification } from "@suite/core";
import type { ApprovalNotification, GuardrailNotification, Pending } from "@suite/core/contract";
import { PROPOSED, SUITE } from "./attributes/own-names.js";
import { put } from "./attributes/redact.js";
import { ATTR } from "./attributes/semconv.js";
import { SEVERITY } from "./logs/logger.js";
import type { TelemetryEvent } from "./logs/route.js";

/**
 * Returns the events of a notification under the names of open proposals. They are recorded in addition to the suite's
 * events.
 */
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

/** Returns one result for each found type, in the form that other guards use. Never contains a found value. */
function guardrailResults(notification: GuardrailNotification): readonly TelemetryEvent[] {
  const common: Attributes = {
    [PROPOSED.guardrailComponent]: notification.plugin,
    [PROPOSED.guardrailSource]: notification.place,
    [PROPOSED.guardrailType]: "action",
    [PROPOSED.guardrailValue]: notification.decision,
    [SUITE.guardrailEnforced]: notification.enforced,
  };
  put(common, PROPOSED.guardrailReason, notification.reason);
  const types = Object.keys(notification.findings ?? {});
  if (types.length === 0) return [event(PROPOSED.guardrailResult, common)];
  return types.map((type) => event(PROPOSED.guardrailResult, { ...common, [PROPOSED.guardrailCategory]: type }));
}

/** Returns the decision whether the tool may run. A person's answer to a running tool is not such a decision. */
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
