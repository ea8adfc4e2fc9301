import { type Context, context, type SpanContext, TraceFlags, trace } from "@opentelemetry/api";
import type { Pending } from "@suite/core";
import { readTraceContext, type TraceContext, traceContextOf } from "../context/trace-context.js";

/** The origin of a pending call, as it travels in the pending state: W3C Trace Context, and what it waits for. */
export interface Origin extends TraceContext {
  readonly reason?: Pending["reason"];
}

/** A span as the origin of what waits for `reason`. */
export const originOf = (span: SpanContext, reason: Pending["reason"]): Origin => ({ ...traceContextOf(span), reason });

/** An origin read from JSON; undefined for anything that is none. */
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

/** The span that an origin tells of. */
export const spanContextOf = ({ traceparent, tracestate }: Origin): SpanContext | undefined =>
  readTraceContext(traceparent, tracestate);

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** A context in which that span is the parent. */
export const under = (parent: SpanContext): Context => trace.setSpanContext(context.active(), parent);
