import { type Context, context, type SpanContext, TraceFlags, trace } from "@opentelemetry/api";
import type { Pending } from "@suite/core/contract";
import { readTraceContext, type TraceContext, traceContextOf } from "../context/trace-context.js";

/** The origin of a pending call in the pending state: W3C Trace Context, and the reason why it waits. */
export interface Origin extends TraceContext {
  readonly reason?: Pending["reason"];
}

/** Returns a span as the origin of a call that waits for `reason`. */
export const originOf = (span: SpanContext, reason: Pending["reason"]): Origin => ({ ...traceContextOf(span), reason });

/** Reads an origin from JSON. Returns `undefined` if it is not valid. */
export function readOrigin(stored: unknown): Origin | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { traceparent, tracestate, reason } = stored as Record<string, unknown>;
  const span = readTraceContext(traceparent, tracestate);
  if (span === undefined) return undefined;
  return {
    ...traceContextOf(span),
    ...((reason === "external" || reason === "approval" || reason === "input") && { reason }),
  };
}

/** Returns the span of an origin. */
export const spanContextOf = ({ traceparent, tracestate }: Origin): SpanContext | undefined =>
  readTraceContext(traceparent, tracestate);

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** Returns a context with the span as parent. */
export const under = (parent: SpanContext): Context => trace.setSpanContext(context.active(), parent);
