import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  type SpanContext,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import type { Pending } from "@suite/core";

/** Where a pending call came from, as it travels in the pending state: W3C Trace Context, and what it waits for. */
export interface Origin {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly reason?: Pending["reason"];
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** W3C: a receiver may drop a longer one. */
const LONGEST_TRACESTATE = 512;

/** A span as the origin of what waits for `reason`. */
export function originOf(span: SpanContext, reason: Pending["reason"]): Origin {
  const { traceId, spanId, traceFlags, traceState } = span;
  const flags = traceFlags.toString(16).padStart(2, "0");
  const tracestate = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate !== undefined && tracestate !== "" && { tracestate }),
    reason,
  };
}

/** An origin read from JSON; undefined for anything that is none. */
export function readOrigin(stored: unknown): Origin | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  const { traceparent, tracestate, reason } = stored as Record<string, unknown>;
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  const kept = typeof tracestate === "string" && tracestate.length <= LONGEST_TRACESTATE ? tracestate : undefined;
  return {
    traceparent,
    ...(kept !== undefined && { tracestate: kept }),
    ...((reason === "external" || reason === "approval" || reason === "input") && { reason }),
  };
}

/** The span that an origin tells of. */
export function spanContextOf({ traceparent, tracestate }: Origin): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  const spanContext: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(spanContext) ? spanContext : undefined;
}

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** A context in which that span is the parent. */
export const under = (parent: SpanContext): Context => trace.setSpanContext(context.active(), parent);
