import { createTraceState, isSpanContextValid, type SpanContext } from "@opentelemetry/api";

/** A span as W3C Trace Context has it in a carrier. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Versions to come may add fields behind the flags; ff is none. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** W3C: what everybody passes on. */
const LONGEST = 512;
/** What may stand in a header. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** The entries of a carrier for a span. */
export function traceContextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const flags = traceFlags.toString(16).padStart(2, "0");
  const tracestate = kept(traceState?.serialize());
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate !== undefined && { tracestate }) };
}

/** The span that these entries tell of, or undefined for anything that is not Trace Context. */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): SpanContext | undefined {
  if (typeof traceparent !== "string" || traceparent.length > LONGEST) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === "00" && more !== undefined) return undefined;
  const state = kept(tracestate);
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(span) ? span : undefined;
}

const kept = (tracestate: unknown): string | undefined =>
  typeof tracestate === "string" && tracestate.length <= LONGEST && PRINTABLE.test(tracestate) ? tracestate : undefined;
