import {
  type ExternalResultNotification,
  type Notification,
  type RuntimeContext,
  redactorOf,
  stateKey,
} from "@suite/core";
import { noteDecision } from "./approvals.js";
import { redactAttributes } from "./attributes.js";
import { compensate } from "./compensation/compensate.js";
import { keepOrigins } from "./compensation/pending.js";
import { eventsOf } from "./events.js";
import { countExternal } from "./metrics/tally.js";
import type { Tracing } from "./spans/hook.js";
import { openRecord, spansOf } from "./spans/record.js";

/** Calls whose result is known: each is told once, and this holds it to that. */
const known = stateKey("tracing.known-results", () => new Set<string>());

function isFirst({ toolCallId }: ExternalResultNotification, runtime: RuntimeContext): boolean {
  const ids = runtime.get(known);
  if (ids.has(toolCallId)) return false;
  ids.add(toolCallId);
  return true;
}

/** What is told beside the call path: events on the span it is about, and spans for what ran elsewhere. */
export const observer =
  ({ tracer, capture }: Tracing, maxAge: number, meters: () => unknown) =>
  (notification: Notification, runtime: RuntimeContext): void => {
    const registered = tracer();
    const measures = meters() !== undefined;
    if (registered === undefined && !measures) return;
    if (notification.type === "external_result") {
      if (!isFirst(notification, runtime)) return;
      if (measures) countExternal(notification, runtime);
      if (registered !== undefined) compensate(notification, runtime, { tracer: registered, capture, maxAge });
      return;
    }
    if (registered === undefined) return;
    if (notification.type === "approval") noteDecision(runtime, notification);
    const record = openRecord(runtime, notification.call);
    if (record === undefined) return;
    if (notification.type === "suspension") {
      // The turn as a whole is what asked, whichever call of it was told to wait.
      const turn = spansOf(runtime).root ?? record;
      keepOrigins(runtime, notification.pending, turn.span.spanContext());
    }
    if (!record.span.isRecording()) return;
    const redactor = redactorOf(runtime);
    for (const { name, attributes } of eventsOf(notification)) {
      record.span.addEvent(name, redactAttributes(attributes, redactor));
    }
  };
