import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  propagation,
  type SpanContext,
  trace,
} from "@opentelemetry/api";
import {
  type Incoming,
  incomingKey,
  type PropagationTarget,
  type Propagator,
  type Redactor,
  type RuntimeContext,
  redactorOf,
} from "@suite/core";
import { linkTo } from "./link.js";
import { callContext } from "./record.js";
import { isClean, readTraceContext, traceContextOf } from "./trace-context.js";

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

/** The place where the span of a call starts that no other call with a span is round. */
export interface Entry {
  readonly parent: Context;
  readonly link?: Link;
}

/**
 * The entry under the span that is active, such as that of the program's HTTP server; else under the caller that the run's
 * request told of, if that is trusted; else in a trace of its own. A caller that is not above it is linked.
 */
export function entryOf(runtime: RuntimeContext): Entry {
  const active = context.active();
  const incoming = runtime.get(incomingKey);
  const caller = incoming && callerOf(incoming);
  if (caller === undefined) return { parent: active };
  const above = trace.getSpanContext(active);
  const local = above !== undefined && isSpanContextValid(above);
  if (!local && incoming?.trusted === true) {
    return { parent: trace.setSpanContext(active, caller) };
  }
  if (local && above.traceId === caller.traceId) return { parent: active };
  const { traceState: _, ...ids } = caller;
  return { parent: active, link: linkTo(ids, "called_by") };
}

function callerOf({ carrier }: Incoming): SpanContext | undefined {
  try {
    const entry = (name: string): unknown =>
      typeof carrier.get === "function" ? carrier.get(name) : (carrier as Readonly<Record<string, unknown>>)[name];
    return readTraceContext(entry("traceparent"), entry("tracestate"));
  } catch {
    return undefined; // whoever called may have sent anything
  }
}

/** W3C Baggage: what everybody takes. What is over is left out. */
const MOST = 64;
const LONGEST = 8192;

/** The `baggage` entry of a carrier, redacted; undefined where there is none. Properties of members are not carried. */
function baggageIn(context: Context, redactor: Redactor | undefined): { readonly baggage?: string } {
  const entries = propagation.getBaggage(context)?.getAllEntries() ?? [];
  const encoded = (text: string): string =>
    // Half of a surrogate pair has no encoding.
    encodeURIComponent((redactor?.redact(text) ?? text).replace(/\p{Surrogate}/gu, "\ufffd"));
  let baggage = "";
  for (const [key, { value }] of entries.slice(0, MOST)) {
    const member = `${baggage === "" ? "" : ","}${encoded(key)}=${encoded(value)}`;
    if (baggage.length + member.length <= LONGEST) baggage += member;
  }
  return baggage === "" ? {} : { baggage };
}
