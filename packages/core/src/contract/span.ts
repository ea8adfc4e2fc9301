import type { CallId, SpanIds } from "./kinds.js";

const SPAN: unique symbol = Symbol.for("@suite/core/span");

/**
 * A call with its span. The span is stored on the call: a WeakMap that outlives the runs would be expensive for the
 * garbage collector.
 */
interface Spanned extends CallId {
  [SPAN]?: SpanIds;
}

/**
 * Sets the span of a call, so that records can refer to it. Called by tracing. If a call is retried, the last span
 * counts.
 */
export function setSpanOf(call: CallId, ids: SpanIds): void {
  (call as Spanned)[SPAN] = ids;
}

/** Returns the span of a call, or of the nearest enclosing call that has one. */
export function spanOf(call: CallId): SpanIds | undefined {
  for (let at: Spanned | undefined = call; at !== undefined; at = at.parent) {
    if (at[SPAN] !== undefined) return at[SPAN];
  }
  return undefined;
}
