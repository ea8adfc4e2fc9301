import type { CallId, SpanIds } from "./kinds.js";

const SPAN: unique symbol = Symbol.for("@suite/core/span");

/** A call with its span, which stands on it: a WeakMap that outlives the runs would cost the garbage collector dearly. */
interface Spanned extends CallId {
  [SPAN]?: SpanIds;
}

/** Sets the span that stands for a call, so that records can name it. Tracing does; of a call tried again, the last counts. */
export function setSpanOf(call: CallId, ids: SpanIds): void {
  (call as Spanned)[SPAN] = ids;
}

/** The span of a call, or of the nearest call round it that has one. */
export function spanOf(call: CallId): SpanIds | undefined {
  for (let at: Spanned | undefined = call; at !== undefined; at = at.parent) {
    if (at[SPAN] !== undefined) return at[SPAN];
  }
  return undefined;
}
