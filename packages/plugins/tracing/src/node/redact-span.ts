import type { SpanContext } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { ExitRedactor } from "./exit-redactor.js";

/**
 * A copy of a span with everything redacted that can hold text: name, attributes and their keys, events, links, status,
 * resource, scope, trace state. Ids and times stay.
 */
export function redactSpan(span: ReadableSpan, exit: ExitRedactor): ReadableSpan {
  const { message } = span.status;
  const spanContext = redactContext(span.spanContext(), exit);
  return {
    name: exit.text(span.name),
    kind: span.kind,
    spanContext: () => spanContext,
    ...(span.parentSpanContext && { parentSpanContext: redactContext(span.parentSpanContext, exit) }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: message === undefined ? span.status : { ...span.status, message: exit.text(message) },
    attributes: exit.attributes(span.attributes),
    events: span.events.map((event) => ({
      ...event,
      name: exit.text(event.name),
      ...(event.attributes && { attributes: exit.attributes(event.attributes) }),
    })),
    links: span.links.map((link) => ({
      ...link,
      context: redactContext(link.context, exit),
      ...(link.attributes && { attributes: exit.attributes(link.attributes) }),
    })),
    resource: exit.resource(span.resource),
    instrumentationScope: exit.scope(span.instrumentationScope),
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

function redactContext(context: SpanContext, exit: ExitRedactor): SpanContext {
  const { traceState, ...rest } = context;
  if (traceState === undefined) return context;
  const kept = exit.traceState(traceState);
  return kept === undefined ? rest : context;
}
