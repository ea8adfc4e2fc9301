import type { CallId } from "./call.js";
import type { RuntimeContext } from "./runtime.js";
import { sharedKey } from "./runtime.js";

/** Where a call is found in a trace: W3C trace context ids, in lower-case hex. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** The span of each call of a run. Tracing writes it, audit reads it. */
export const spansKey = sharedKey<WeakMap<CallId, SpanIds>>("spans", () => new WeakMap());

/** The span of a call, or of the nearest call round it that has one, also in a run round this one. */
export function spanOf(call: CallId, runtime: RuntimeContext): SpanIds | undefined {
  const spans = runtime.get(spansKey);
  for (let at: CallId | undefined = call; at !== undefined; at = at.parent) {
    const ids = spans.get(at);
    if (ids !== undefined) return ids;
  }
  return runtime.parent && spanOf(call, runtime.parent);
}
