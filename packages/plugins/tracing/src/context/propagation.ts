import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  propagation,
  type SpanContext,
  trace,
} from "@opentelemetry/api";
import { type Redactor, type RuntimeContext, redactorOf } from "@suite/core";
import { type Incoming, incomingKey, type PropagationTarget, type Propagator } from "@suite/core/propagation";
import { linkTo } from "./link.js";
import { callContext } from "./record.js";
import { isClean, readTraceContext, traceContextOf } from "./trace-context.js";

/**
 * Creates the propagator that adds the span of the call's work to requests. The format is W3C Trace Context whatever
 * propagator is registered: MCP's convention knows no other, and HTTP instrumentations already use the registered one.
 */
export const propagator = (
  tracer: () => unknown,
  mayPropagate: (target: PropagationTarget) => boolean,
  baggage: boolean,
): Propagator => ({
  inject(call, runtime, target) {
    if (tracer() === undefined || !mayPropagate(target)) return undefined;
    const context = callContext(call, runtime);
    const span = trace.getSpanContext(context);
    if (span === undefined || !isSpanContextValid(span)) return undefined;
    const redactor = redactorOf(runtime);
    const { traceState, ...ids } = span;
    const traceContext = traceContextOf(isClean(traceState, redactor) ? span : ids);
    return { ...traceContext, ...(baggage && baggageIn(context, redactor)) };
  },
});

/** The start of a call's span that is not inside another call with a span. */
export interface Entry {
  readonly parent: Context;
  readonly link?: Link;
}

/**
 * Returns the parent of a run's first span: the active span, such as that of the program's HTTP server; otherwise the
 * caller of the run's request, if it is trusted; otherwise none. A caller that is not the parent is linked.
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
    return undefined; // the caller may have sent anything
  }
}

/** The limits of W3C Baggage that every implementation accepts. Entries above them are omitted. */
const MOST = 64;
const LONGEST = 8192;

/**
 * Returns the `baggage` entry of a carrier, redacted. Returns an empty object if there is no baggage. Properties of
 * members are not carried.
 */
function baggageIn(context: Context, redactor: Redactor | undefined): { readonly baggage?: string } {
  const entries = propagation.getBaggage(context)?.getAllEntries() ?? [];
  const encoded = (text: string): string =>
    // Half of a surrogate pair cannot be encoded.
    encodeURIComponent((redactor?.redact(text) ?? text).replace(/\p{Surrogate}/gu, "\ufffd"));
  let baggage = "";
  for (const [key, { value }] of entries.slice(0, MOST)) {
    const member = `${baggage === "" ? "" : ","}${encoded(key)}=${encoded(value)}`;
    if (baggage.length + member.length <= LONGEST) baggage += member;
  }
  return baggage === "" ? {} : { baggage };
}
