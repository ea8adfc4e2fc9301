import type { Attributes } from "@opentelemetry/api";
import type { Notification } from "@suite/core";
import { put } from "./attributes.js";
import { OWN, OWN_EVENT } from "./own-names.js";
import { ATTR } from "./semconv.js";
import { errorMessage, errorType } from "./spans/errors.js";

/** One span event. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** What a notification becomes on the span that it is about. Results from elsewhere become spans of their own. */
export function eventsOf(notification: Notification): readonly SpanEvent[] {
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
      return [{ name: OWN_EVENT.guardrail, attributes }];
    }
    case "approval": {
      const { toolName, toolCallId, decision, by } = notification;
      const attributes: Attributes = {
        [ATTR.toolName]: toolName,
        [ATTR.toolCallId]: toolCallId,
        [OWN.approvalDecision]: decision,
      };
      put(attributes, OWN.approvalBy, by);
      return [{ name: OWN_EVENT.approval, attributes }];
    }
    case "limit":
      return [
        {
          name: OWN_EVENT.limit,
          attributes: { [OWN.limitName]: notification.limit, [OWN.limitMaximum]: notification.maximum },
        },
      ];
    case "suspension":
    case "resume": {
      const name = notification.type === "suspension" ? OWN_EVENT.suspended : OWN_EVENT.resumed;
      return notification.pending.map(({ reason, part }) => ({
        name,
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
      return [{ name: OWN_EVENT.fault, attributes }];
    }
    case "external_result":
      return [];
  }
}
