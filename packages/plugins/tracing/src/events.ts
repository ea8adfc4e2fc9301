import type { Attributes } from "@opentelemetry/api";
import type { Decided, Notification } from "@suite/core";
import { errorMessage, errorType } from "./attributes/errors.js";
import { OWN, OWN_EVENT } from "./attributes/own-names.js";
import { put } from "./attributes/redact.js";
import { ATTR } from "./attributes/semconv.js";
import { SEVERITY } from "./logs/logger.js";
import type { TelemetryEvent } from "./logs/route.js";

/** The events that a notification becomes. Results from elsewhere, undone calls and attempts become spans of their own. */
export function eventsOf(notification: Notification): readonly TelemetryEvent[] {
  switch (notification.type) {
    case "decision": {
      const attributes: Attributes = { [OWN.decisionName]: notification.decision, ...decided(notification) };
      return [{ name: OWN_EVENT.decision, severity: SEVERITY.info, attributes }];
    }
    case "guardrail": {
      const { plugin, place, decision, enforced, findings, reason, details } = notification;
      const attributes: Attributes = {
        [OWN.guardrailPlugin]: plugin,
        [OWN.guardrailPlace]: place,
        [OWN.guardrailDecision]: decision,
        [OWN.guardrailEnforced]: enforced,
        ...decided({ reason, details }),
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
          attributes: {
            [OWN.limitName]: notification.limit,
            [OWN.limitMaximum]: notification.maximum,
            ...decided(notification),
          },
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
    case "undo":
    case "external_result":
      return [];
  }
}

/** The most details of a decision that are told. */
const maxDetails = 16;
/** The longest name of a detail, and the longest string: what is longer is left out, since half a value could not be redacted. */
const longest = { name: 64, text: 1024 };

/** A type whose members may be undefined, which stands for absent. */
type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

function decided({ plugin, enforced, place, reason, details }: Loose<Decided>): Attributes {
  const attributes: Attributes = {};
  put(attributes, OWN.decisionPlugin, plugin);
  put(attributes, OWN.decisionEnforced, enforced);
  put(attributes, OWN.decisionPlace, place);
  if (reason !== undefined && reason.length <= longest.text) attributes[OWN.decisionReason] = reason;
  for (const [name, value] of Object.entries(details ?? {}).slice(0, maxDetails)) {
    if (name.length > longest.name || (typeof value === "string" && value.length > longest.text)) continue;
    attributes[`${OWN.decisionDetail}.${name}`] = value;
  }
  return attributes;
}
