import {
  type Context,
  createTraceState,
  isSpanContextValid,
  type SpanContext,
  type TraceState,
  trace,
} from "@opentelemetry/api";
import type { Redactor } from "@suite/core";

/** A span as W3C Trace Context has it in a carrier. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Versions to come may add fields behind the flags; ff is none. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** W3C: what everybody passes on. */
const LONGEST = 512;
/** The characters that may stand in a header. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Whether a trace state may be recorded and passed on: one in which a redactor finds something may not, as it is or
 * percent-encoded. It is left out whole, since who wrote it could not read it with a part replaced.
 */
export function isClean(state: TraceState | undefined, redactor: Redactor | undefined): boolean {
  if (state === undefined || redactor === undefined) return true;
  const text = state.serialize();
  const plain = text.includes("%") ? decoded(text) : text;
  return redactor.redact(text) === text && (plain === text || redactor.redact(plain) === plain);
}

/** Each sequence by itself: one that is none must not hide the others. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2}){1,512}/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });

/** The context with a parent whose trace state may be recorded: the SDK copies it to every span below. */
export function cleanContext(parent: Context, redactor: Redactor | undefined): Context {
  const above = redactor && trace.getSpanContext(parent);
  if (above?.traceState === undefined || isClean(above.traceState, redactor)) return parent;
  const { traceState: _, ...span } = above;
  return trace.setSpanContext(parent, span);
}

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
