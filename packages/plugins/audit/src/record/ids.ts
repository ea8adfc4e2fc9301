import type { CallId, RuntimeContext } from "@suite/core";
import { type SpanIds, spanOf } from "@suite/core/propagation";

/** Returns the current span of a call or a run. */
export type SpanReader = (runtime: RuntimeContext, call?: CallId) => SpanIds | undefined;

/** Returns the span that tracing has registered for the call, or for the nearest call around it. */
export const spanOfCall: SpanReader = (_, call) => (call === undefined ? undefined : spanOf(call));

const MAX_ID = 256;
const surrogate = /[\uD800-\uDFFF]/;

/** Returns an id with a bounded length, or `undefined` if there is none: models invent some ids. */
export function idOf(id: string | undefined): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  if (id.length <= MAX_ID && !surrogate.test(id)) return id;
  return id.slice(0, MAX_ID).replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** Returns the ids of the current span, if any. If the reader throws, the record has no ids, but is still written. */
export function spanIdsOf(read: SpanReader, runtime: RuntimeContext, call: CallId | undefined): Partial<SpanIds> {
  try {
    return read(runtime, call) ?? {};
  } catch {
    return {};
  }
}
