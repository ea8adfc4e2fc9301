import type { SpanContext } from "@opentelemetry/api";
import type { ExitRedactor } from "./exit-redactor.js";
import type { ExportedSpan } from "./exported-span.js";

/**
 * Returns a copy of a span with every string redacted: name, attributes and their keys, events, links, status,
 * resource, scope, trace state. Ids and times are unchanged.
 */
export function redactSpan<Span extends ExportedSpan>(span: Span, exit: ExitRedactor): Span {
  const { parentSpanContext, parentSpanId, instrumentationScope, instrumentationLibrary } = span;
  const { message } = span.status;
  const spanContext = redactContext(span.spanContext(), exit);
  const redacted: ExportedSpan = {
    name: exit.text(span.name),
    kind: span.kind,
    spanContext: () => spanContext,
    ...(parentSpanContext && { parentSpanContext: redactContext(parentSpanContext, exit) }),
    ...(parentSpanId !== undefined && { parentSpanId }),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    ended: span.ended,
    status: message === undefined ? span.status : { ...span.status, message: exit.text(message) },
    attributes: exit.recorded(span.attributes),
    events: span.events.map((event) => ({
      ...event,
      name: exit.text(event.name),
      ...(event.attributes && { attributes: exit.recorded(event.attributes) }),
    })),
    links: span.links.map((link) => ({
      ...link,
      context: redactContext(link.context, exit),
      ...(link.attributes && { attributes: exit.recorded(link.attributes) }),
    })),
    resource: exit.resource(span.resource),
    ...(instrumentationScope && { instrumentationScope: exit.scope(instrumentationScope) }),
    ...(instrumentationLibrary && { instrumentationLibrary: exit.scope(instrumentationLibrary) }),
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
  return redacted as Span;
}

function redactContext(context: SpanContext, exit: ExitRedactor): SpanContext {
  const { traceState, ...rest } = context;
  if (traceState === undefined) return context;
  const cleanState = exit.traceState(traceState);
  return cleanState === undefined ? rest : context;
}
