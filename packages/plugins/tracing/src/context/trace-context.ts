import {
  type Context,
  createTraceState,
  isSpanContextValid,
  type SpanContext,
  type TraceState,
  trace,
} from "@opentelemetry/api";
import type { Redactor } from "@suite/core";

/** A span as entries of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Future versions may add fields after the flags. Version ff is invalid. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The length that W3C requires every system to pass on. */
const LONGEST = 512;
/** The characters that are allowed in a header. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Returns true if a trace state may be recorded and passed on. It may not if a redactor changes it, in plain or
 * percent-encoded form. It is then omitted as a whole, since its author could not read it with a part replaced.
 */
export function isClean(state: TraceState | undefined, redactor: Redactor | undefined): boolean {
  if (state === undefined || redactor === undefined) return true;
  const text = state.serialize();
  const decodedText = text.includes("%") ? decoded(text) : text;
  return redactor.redact(text) === text && (decodedText === text || redactor.redact(decodedText) === decodedText);
}

/** Decodes each sequence separately, so that an invalid one does not hide the others. */
const decoded = (text: string): string =>
  text.replaceAll(/(?:%[0-9a-f]{2}){1,512}/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });

/** Removes a trace state that may not be recorded from the parent: the SDK copies it to every child span. */
export function cleanContext(parent: Context, redactor: Redactor | undefined): Context {
  const above = redactor && trace.getSpanContext(parent);
  if (above?.traceState === undefined || isClean(above.traceState, redactor)) return parent;
  const { traceState: _, ...span } = above;
  return trace.setSpanContext(parent, span);
}

/** Returns the entries of a carrier for a span. */
export function traceContextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const flags = traceFlags.toString(16).padStart(2, "0");
  const tracestate = validState(traceState?.serialize());
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(tracestate !== undefined && { tracestate }) };
}

/** Parses the entries of W3C Trace Context. Returns `undefined` if they are not valid. */
export function readTraceContext(traceparent: unknown, tracestate?: unknown): SpanContext | undefined {
  if (typeof traceparent !== "string" || traceparent.length > LONGEST) return undefined;
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === "00" && more !== undefined) return undefined;
  const state = validState(tracestate);
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(span) ? span : undefined;
}

const validState = (tracestate: unknown): string | undefined =>
  typeof tracestate === "string" && tracestate.length <= LONGEST && PRINTABLE.test(tracestate) ? tracestate : undefined;
