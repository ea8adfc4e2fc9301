import { type CallId, type RuntimeContext, type SpanIds, spanOf } from "@suite/core";

/** Tells which span a call, or a run, has now. */
export type SpanReader = (runtime: RuntimeContext, call?: CallId) => SpanIds | undefined;

/** The span that tracing has filed for the call, or for the nearest call round it. */
export const spanOfCall: SpanReader = (_, call) => (call === undefined ? undefined : spanOf(call));

const MAX_ID = 256;
const surrogate = /[\uD800-\uDFFF]/;

/** An id as it is, but bounded, or undefined where there is none: models make some of them up. */
export function idOf(id: string | undefined): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  if (id.length <= MAX_ID && !surrogate.test(id)) return id;
  return id.slice(0, MAX_ID).replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** The ids of the current span, where there is one. What the reader throws costs the ids, not the record. */
export function spanIdsOf(read: SpanReader, runtime: RuntimeContext, call: CallId | undefined): Partial<SpanIds> {
  try {
    return read(runtime, call) ?? {};
  } catch {
    return {};
  }
}
