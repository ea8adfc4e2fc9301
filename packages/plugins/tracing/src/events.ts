import type { Attributes } from "@opentelemetry/api";
import type { Notification } from "@suite/core";
import { put } from "./attributes.js";
import { SEVERITY } from "./logs/logger.js";
import type { TelemetryEvent } from "./logs/route.js";
import { OWN, OWN_EVENT } from "./own-names.js";
import { ATTR } from "./semconv.js";
import { errorMessage, errorType } from "./spans/errors.js";

/** The events that a notification becomes. Results from elsewhere and attempts become spans of their own. */
export function eventsOf(notification: Notification): readonly TelemetryEvent[] {
  switch (notification.type) {
    case "guardrail": {
      const { plugin, place, decision, enforced, findings } = notification;
      const attributes: Attributes = {
        [OWN.guardrailPlugin]: plugin,
        [OWN.guardrailPlace]: place,
        [OWN.guardrailDecision]: decision,
        [OWN.guardrailEnforced]: enforced,
      };
      put(attributes, OWN.guardrailFindings, findings && JSON.stringify(findings));
      return [{ name: OWN_EVENT.guardrail, severity: SEVERITY.info, attributes }];
    }
    case "approval": {
      const { toolName, toolCallId, decision, by } = notification;
      const attributes: Attributes = {
        [ATTR.toolName]: toolName,
        [ATTR.toolCallId]: toolCallId,
        [OWN.approvalDecision]: decision,
      };
      put(attributes, OWN.approvalBy, by);
      return [{ name: OWN_EVENT.approval, severity: SEVERITY.info, attributes }];
    }
    case "limit":
      return [
        {
          name: OWN_EVENT.limit,
          severity: SEVERITY.warn,
          attributes: { [OWN.limitName]: notification.limit, [OWN.limitMaximum]: notification.maximum },
        },
      ];
    case "suspension":
    case "resume": {
      const name = notification.type === "suspension" ? OWN_EVENT.suspended : OWN_EVENT.resumed;
      return notification.pending.map(({ reason, part }) => ({
        name,
        severity: SEVERITY.info,
        attributes: { [OWN.pendingReason]: reason, [ATTR.toolName]: part.name, [ATTR.toolCallId]: part.id },
      }));
    }
    case "fault": {
      const attributes: Attributes = {
        [OWN.faultWhere]: notification.where,
        [ATTR.exceptionType]: errorType(notification.error),
      };
      const message = errorMessage(notification.error);
      if (message !== "") attributes[ATTR.exceptionMessage] = message;
      return [{ name: OWN_EVENT.fault, severity: SEVERITY.warn, attributes }];
    }
    case "attempt":
    case "external_result":
      return [];
  }
}
