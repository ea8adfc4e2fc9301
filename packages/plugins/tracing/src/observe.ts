import {
  type ExternalResultNotification,
  type Notification,
  type RuntimeContext,
  redactorOf,
  stateKey,
} from "@suite/core";
import { noteDecision } from "./approvals.js";
import { redactAttributes } from "./attributes/redact.js";
import { compensate } from "./compensation/compensate.js";
import { keepOrigins, takeOrigin } from "./compensation/pending.js";
import { spanUndo } from "./compensation/undo.js";
import { isOver, openRecord, spansOf } from "./context/record.js";
import { eventsOf } from "./events.js";
import { measureAttempt } from "./metrics/attempt.js";
import type { Instruments } from "./metrics/instruments.js";
import { countExternal } from "./metrics/tally.js";
import { proposedEventsOf } from "./proposals.js";
import { spanAttempt } from "./spans/attempt.js";
import type { Tracing } from "./spans/tracing.js";

/** Calls whose result is known: each is told once, and this holds it to that. */
const known = stateKey("tracing.known-results", () => new Set<string>());

function isFirst({ toolCallId }: ExternalResultNotification, runtime: RuntimeContext): boolean {
  const ids = runtime.get(known);
  if (ids.has(toolCallId)) return false;
  ids.add(toolCallId);
  return true;
}

/** The observer of what is told beside the call path: it makes events on the span it is about, and spans for what ran elsewhere. */
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
      // What was approved runs here: nobody waits for it any more, and its id may come again.
      const { decision, toolCallId } = notification;
      if (decision === "approved" || decision === "edited" || decision === "answered") takeOrigin(runtime, toolCallId);
    }
    const record = openRecord(runtime, notification.call);
    if (record === undefined) return;
    if (notification.type === "suspension") {
      // The turn as a whole is what asked, whichever call of it was told to wait.
      const turn = spansOf(runtime).root ?? record;
      keepOrigins(runtime, notification.pending, turn.span.spanContext());
    }
    if (!record.span.isRecording() && !events.told.logs) return;
    const redactor = redactorOf(runtime);
    const proposed = tracing.proposals ? proposedEventsOf(notification) : [];
    for (const event of [...eventsOf(notification), ...proposed]) {
      events.told.emit(record, { ...event, attributes: redactAttributes(event.attributes, redactor) });
    }
  };
