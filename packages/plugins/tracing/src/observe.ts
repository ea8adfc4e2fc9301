import type { Attributes } from "@opentelemetry/api";
import { type Notification, type RuntimeContext, redactorOf, stateKey } from "@suite/core";
import type { Decided, ExternalResultNotification } from "@suite/core/contract";
import { errorTypeOf } from "@suite/kit/errors";
import { noteDecision } from "./approvals.js";
import { errorMessage } from "./attributes/errors.js";
import { SUITE, SUITE_EVENT } from "./attributes/own-names.js";
import { put, redactAttributes } from "./attributes/redact.js";
import { ATTR } from "./attributes/semconv.js";
import { compensate } from "./compensation/compensate.js";
import { keepOrigins, takeOrigin } from "./compensation/pending.js";
import { spanUndo } from "./compensation/undo.js";
import { isOver, openRecord, spansOf } from "./context/record.js";
import { SEVERITY } from "./logs/logger.js";
import type { TelemetryEvent } from "./logs/route.js";
import { measureAttempt } from "./metrics/attempt.js";
import type { Instruments } from "./metrics/instruments.js";
import { countExternal } from "./metrics/tally.js";
import { proposedEventsOf } from "./proposals.js";
import { spanAttempt } from "./spans/attempt.js";
import type { Tracing } from "./spans/tracing.js";

/** Ids of the calls whose result was already reported. A result is recorded only once. */
const known = stateKey("tracing.known-results", () => new Set<string>());

function isFirst({ toolCallId }: ExternalResultNotification, runtime: RuntimeContext): boolean {
  const ids = runtime.get(known);
  if (ids.has(toolCallId)) return false;
  ids.add(toolCallId);
  return true;
}

/**
 * Observes notifications from outside the call path. Records events on the related span, and creates spans for calls
 * that ran elsewhere.
 */
export const observer =
  (tracing: Tracing, maxAge: number, meters: () => Instruments | undefined) =>
  (notification: Notification, runtime: RuntimeContext): void => {
    const { tracer, capture, events, ofRun } = tracing;
    const registered = tracer();
    const instruments = meters();
    if (registered === undefined && instruments === undefined) return;
    if (notification.type === "attempt") {
      if (isOver(runtime)) return;
      if (instruments !== undefined) measureAttempt(notification, runtime, instruments);
      if (registered !== undefined) spanAttempt(notification, runtime, tracing, registered);
      return;
    }
    if (notification.type === "external_result") {
      if (!isFirst(notification, runtime)) return;
      if (instruments !== undefined) countExternal(notification, runtime);
      if (registered !== undefined) compensate(notification, runtime, { tracer: registered, capture, maxAge, ofRun });
      return;
    }
    if (registered === undefined) return;
    if (notification.type === "undo") {
      spanUndo(notification, runtime, { tracer: registered, capture, maxAge, ofRun });
      return;
    }
    if (notification.type === "approval") {
      noteDecision(runtime, notification);
      // An approved call runs in this process. Its origin is not needed any more, and its id may be used again.
      const { decision, toolCallId } = notification;
      if (decision === "approved" || decision === "edited" || decision === "answered") takeOrigin(runtime, toolCallId);
    }
    const record = openRecord(runtime, notification.call);
    if (record === undefined) return;
    if (isRefusal(notification)) record.refused = true;
    if (notification.type === "suspension") {
      // The origin is the turn as a whole, whichever of its calls was suspended.
      const turn = spansOf(runtime).root ?? record;
      keepOrigins(runtime, notification.pending, turn.span.spanContext());
    }
    if (!record.span.isRecording() && !events.notices.logs) return;
    const redactor = redactorOf(runtime);
    const proposed = tracing.proposals ? proposedEventsOf(notification) : [];
    for (const event of [...eventsOf(notification), ...proposed]) {
      events.notices.emit(record, { ...event, attributes: redactAttributes(event.attributes, redactor) });
    }
  };

/** True if a guard refused a tool call before the tool ran. */
const isRefusal = (notification: Notification): boolean =>
  notification.type === "guardrail" &&
  notification.place === "tool_call" &&
  notification.decision === "block" &&
  notification.enforced;

/** Returns the events for a notification. External results, undone calls and attempts become spans instead. */
function eventsOf(notification: Notification): readonly TelemetryEvent[] {
  switch (notification.type) {
    case "decision": {
      const attributes: Attributes = { [SUITE.decisionName]: notification.decision, ...decided(notification) };
      return [{ name: SUITE_EVENT.decision, severity: SEVERITY.info, attributes }];
    }
    case "guardrail": {
      const { plugin, place, decision, enforced, findings, reason, details } = notification;
      const attributes: Attributes = {
        [SUITE.guardrailPlugin]: plugin,
        [SUITE.guardrailPlace]: place,
        [SUITE.guardrailDecision]: decision,
        [SUITE.guardrailEnforced]: enforced,
        ...decided({ reason, details }),
      };
      put(attributes, SUITE.guardrailFindings, findings && JSON.stringify(findings));
      return [{ name: SUITE_EVENT.guardrail, severity: SEVERITY.info, attributes }];
    }
    case "approval": {
      const { toolName, toolCallId, decision, by } = notification;
      const attributes: Attributes = {
        [ATTR.toolName]: toolName,
        [ATTR.toolCallId]: toolCallId,
        [SUITE.approvalDecision]: decision,
      };
      put(attributes, SUITE.approvalBy, by);
      return [{ name: SUITE_EVENT.approval, severity: SEVERITY.info, attributes }];
    }
    case "limit":
      return [
        {
          name: SUITE_EVENT.limit,
          severity: SEVERITY.warn,
          attributes: {
            [SUITE.limitName]: notification.limit,
            [SUITE.limitMaximum]: notification.maximum,
            ...decided(notification),
          },
        },
      ];
    case "suspension":
    case "resume": {
      const name = notification.type === "suspension" ? SUITE_EVENT.suspended : SUITE_EVENT.resumed;
      return notification.pending.map(({ reason, part }) => ({
        name,
        severity: SEVERITY.info,
        attributes: { [SUITE.pendingReason]: reason, [ATTR.toolName]: part.name, [ATTR.toolCallId]: part.id },
      }));
    }
    case "fault": {
      const attributes: Attributes = {
        [SUITE.faultWhere]: notification.where,
        [ATTR.exceptionType]: errorTypeOf(notification.error),
      };
      const message = errorMessage(notification.error);
      if (message !== "") attributes[ATTR.exceptionMessage] = message;
      return [{ name: SUITE_EVENT.fault, severity: SEVERITY.warn, attributes }];
    }
    case "attempt":
    case "undo":
    case "external_result":
      return [];
  }
}

/** Maximum number of details of a decision that are recorded. */
const maxDetails = 16;
/**
 * Maximum length of a detail's name and of a string. Longer values are omitted, since a partial value could not be
 * redacted.
 */
const longest = { name: 64, text: 1024 };

/** A type whose members may be undefined, which means absent. */
type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

function decided({ plugin, enforced, place, reason, details }: Loose<Decided>): Attributes {
  const attributes: Attributes = {};
  put(attributes, SUITE.decisionPlugin, plugin);
  put(attributes, SUITE.decisionEnforced, enforced);
  put(attributes, SUITE.decisionPlace, place);
  if (reason !== undefined && reason.length <= longest.text) attributes[SUITE.decisionReason] = reason;
  for (const [name, value] of Object.entries(details ?? {}).slice(0, maxDetails)) {
    if (name.length > longest.name || (typeof value === "string" && value.length > longest.text)) continue;
    attributes[`${SUITE.decisionDetail}.${name}`] = value;
  }
  return attributes;
}
