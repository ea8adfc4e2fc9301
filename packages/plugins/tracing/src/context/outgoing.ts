import { isSpanContextValid, trace } from "@opentelemetry/api";
import { type PropagationTarget, type Propagator, redactorOf } from "@suite/core";
import { baggageIn } from "./baggage.js";
import { callContext } from "./record.js";
import { isClean, traceContextOf } from "./trace-context.js";

/**
 * Says what requests carry: the span that the call's work is in, as W3C Trace Context, whatever propagator is
 * registered. MCP's convention knows no other, and HTTP instrumentations use the registered one by themselves.
 */
export const propagator = (
  tracer: () => unknown,
  tells: (target: PropagationTarget) => boolean,
  baggage: boolean,
): Propagator => ({
  inject(call, runtime, target) {
    if (tracer() === undefined || !tells(target)) return undefined;
    const context = callContext(call, runtime);
    const span = trace.getSpanContext(context);
    if (span === undefined || !isSpanContextValid(span)) return undefined;
    const redactor = redactorOf(runtime);
    const { traceState, ...ids } = span;
    const told = traceContextOf(isClean(traceState, redactor) ? span : ids);
    return { ...told, ...(baggage && baggageIn(context, redactor)) };
  },
});
