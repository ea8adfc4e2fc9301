import { type CallId, type RuntimeContext, type SpanIds, spanOf } from "@suite/core";

/** Tells which span a call, or a run, has now. */
export type SpanReader = (runtime: RuntimeContext, call?: CallId) => SpanIds | undefined;

/** The span that tracing has filed for the call, or for the nearest call round it. */
export const spanOfCall: SpanReader = (_, call) => (call === undefined ? undefined : spanOf(call));

const MAX_ID = 256;

/** Ids as they are, but bounded, and without what is not there: models make some of them up. */
export function idsOf(ids: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [key, id] of Object.entries(ids)) {
    if (typeof id === "string" && id !== "") out[key] = id.slice(0, MAX_ID).replace(/\p{Surrogate}/gu, "\uFFFD");
  }
  return out;
}

/** The ids of the current span, where there is one. What the reader throws costs the ids, not the record. */
export function spanIdsOf(read: SpanReader, runtime: RuntimeContext, call: CallId | undefined): Record<string, string> {
  try {
    const { traceId, spanId } = read(runtime, call) ?? {};
    return idsOf({ traceId, spanId });
  } catch {
    return {};
  }
}
