import { type Context, context, isSpanContextValid, type Link, type SpanContext, trace } from "@opentelemetry/api";
import { type Incoming, incomingKey, type RuntimeContext } from "@suite/core";
import { linkTo } from "./link.js";
import { readTraceContext } from "./trace-context.js";

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
