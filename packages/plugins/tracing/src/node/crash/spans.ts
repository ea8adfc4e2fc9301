import { createTraceState, type SpanContext } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";

/** The states of the thread that sends the spans of a process which crashes. */
export const LOADING = 0;
export const SENDING = 1;
export const OVER = 2;

/** The data of the thread that sends the spans of a process which crashes. */
export interface CrashData {
  /** The package of the exporter. */
  readonly module: string;
  readonly options: { readonly url?: string; readonly headers?: Record<string, string> };
  readonly spans: readonly PlainSpan[];
  /** `LOADING`, `SENDING`, then `OVER`: the spans were sent, or could not be. */
  readonly state: Int32Array;
}

/** The ids of a span, without a method. */
interface PlainContext extends Omit<SpanContext, "traceState"> {
  readonly traceState?: string;
}

/** A span without methods, as another thread can be given it. */
export interface PlainSpan
  extends Omit<ReadableSpan, "spanContext" | "parentSpanContext" | "links" | "resource" | "instrumentationScope"> {
  readonly context: PlainContext;
  readonly parentSpanContext: PlainContext | undefined;
  readonly links: readonly (Omit<ReadableSpan["links"][number], "context"> & { readonly context: PlainContext })[];
  readonly resource: { readonly attributes: ReadableSpan["resource"]["attributes"] };
  readonly instrumentationScope: ReadableSpan["instrumentationScope"];
}

/** Spans without methods. Those of one resource have one still: exporters group by it. */
export function plainSpans(spans: readonly ReadableSpan[]): readonly PlainSpan[] {
  const resources = new Map<object, PlainSpan["resource"]>();
  return spans.map((span) => {
    const resource = resources.get(span.resource) ?? { attributes: span.resource.attributes };
    resources.set(span.resource, resource);
    const { name, version, schemaUrl } = span.instrumentationScope;
    return {
      name: span.name,
      kind: span.kind,
      context: plain(span.spanContext()),
      parentSpanContext: span.parentSpanContext && plain(span.parentSpanContext),
      startTime: span.startTime,
      endTime: span.endTime,
      duration: span.duration,
      ended: span.ended,
      status: span.status,
      attributes: span.attributes,
      events: span.events,
      links: span.links.map((link) => ({ ...link, context: plain(link.context) })),
      resource,
      instrumentationScope: { name, ...(version && { version }), ...(schemaUrl && { schemaUrl }) },
      droppedAttributesCount: span.droppedAttributesCount,
      droppedEventsCount: span.droppedEventsCount,
      droppedLinksCount: span.droppedLinksCount,
    };
  });
}

/** The spans again, as an exporter takes them. */
export const revivedSpans = (spans: readonly PlainSpan[]): readonly object[] =>
  spans.map(({ context, parentSpanContext, links, ...rest }) => {
    const own = revived(context);
    return {
      ...rest,
      spanContext: () => own,
      parentSpanContext: parentSpanContext && revived(parentSpanContext),
      links: links.map((link) => ({ ...link, context: revived(link.context) })),
    };
  });

function plain({ traceState, ...context }: SpanContext): PlainContext {
  return traceState === undefined ? context : { ...context, traceState: traceState.serialize() };
}

function revived({ traceState, ...context }: PlainContext): SpanContext {
  return traceState === undefined ? context : { ...context, traceState: createTraceState(traceState) };
}
