import { type Context, context, createContextKey, type Span, TraceFlags } from "@opentelemetry/api";
import { type CallId, type RuntimeContext, stateKey } from "@suite/core";
import { setSpanOf } from "@suite/core/propagation";

/** The span of a call, and the context of its work. */
export interface SpanRecord {
  readonly span: Span;
  readonly context: Context;
  /** True while the span is open. After it has ended, nothing may be written to it. */
  open: boolean;
  /** True if a guard has refused the call: the answer is the guard's, and the tool did not run. */
  refused?: boolean;
  /** Ends the span if it is open. Used if the result of the call will never be reported. */
  abandon(): void;
}

/** A call and the run it belongs to. */
interface Called {
  readonly call: CallId;
  readonly runtime: RuntimeContext;
}

/** The spans of one run. */
export interface RunSpans {
  /** The span of the run itself: of the first agent call, or of the first call if the framework has no agent call. */
  root: SpanRecord | undefined;
  /** The spans whose calls have not ended, in order of their start. */
  readonly running: Set<Pick<SpanRecord, "abandon">>;
  /** True if the run has ended. */
  over: boolean;
}

const runSpans = stateKey<RunSpans>("tracing.spans", () => ({
  root: undefined,
  running: new Set(),
  over: false,
}));

const RECORD = Symbol("@suite/tracing/record");

/**
 * A call with its span. The state of the run cannot hold the span, since nested work may start only after the run is
 * over. A WeakMap that outlives the runs would cost the garbage collector more than all other work for a span.
 */
interface Recorded extends CallId {
  [RECORD]?: SpanRecord;
}

export const recordOf = (call: CallId): SpanRecord | undefined => (call as Recorded)[RECORD];

/** The call that the active context belongs to. Spans that the user opens inside inherit it. */
const CURRENT_CALL = createContextKey("@suite/tracing/call");

/** Marks a context as that of the work of `call`. */
export const contextOf = (parent: Context, call: CallId): Context => parent.setValue(CURRENT_CALL, call.id);

/** The spans of `runtime`. */
export const spansOf = (runtime: RuntimeContext): RunSpans => runtime.get(runSpans);

/**
 * Registers the span of a call, for nested calls, for notifications about the call, and for other plugins. The code
 * that ends the span removes it from `running`.
 */
export function remember(invocation: Called, record: SpanRecord): RunSpans {
  const spans = spansOf(invocation.runtime);
  (invocation.call as Recorded)[RECORD] = record;
  const { traceId, spanId, traceFlags } = record.span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  setSpanOf(invocation.call, sampled ? { traceId, spanId } : { traceId, spanId, sampled });
  if (spans.root === undefined || !spans.root.open) spans.root = record;
  spans.running.add(record);
  return spans;
}

/**
 * Ends the spans that are open when their run has ended, inner calls first: a call that ignores its abort signal may
 * never return.
 */
export function endSpans(runtime: RuntimeContext): void {
  const spans = spansOf(runtime);
  spans.over = true;
  for (const record of [...spans.running].reverse()) record.abandon();
  spans.running.clear();
}

/** Returns true if all spans of this run have ended. */
export const isOver = (runtime: RuntimeContext): boolean => ended(runtime)?.over ?? true;

/**
 * Returns the OpenTelemetry context of a call's work: that of its span, or of the nearest span around it. Spans started
 * in it are nested correctly even without AsyncLocalStorage. With AsyncLocalStorage this function is not needed, and
 * spans that were opened in between are kept as parents.
 *
 * @example
 * ```ts
 * defineTool({
 *   name: "find_order",
 *   execute(input, runtime, call) {
 *     const span = tracer.startSpan("SELECT orders", {}, callContext(call, runtime));
 *     // …
 *   },
 * });
 * ```
 */
export const callContext = (call: CallId, runtime: RuntimeContext): Context =>
  contextAround(call, runtime) ?? context.active();

/** Returns the context of `callContext`. Returns `undefined` if no call around it has a span: the run begins here. */
export function contextAround(innermost: CallId | undefined, runtime: RuntimeContext): Context | undefined {
  const active = context.active();
  for (let call = innermost; call !== undefined; call = call.parent) {
    const record = recordOf(call);
    if (record !== undefined) return active.getValue(CURRENT_CALL) === call.id ? active : record.context;
  }
  if (active.getValue(CURRENT_CALL) !== undefined) return active;
  return runtime.parent && ended(runtime.parent)?.root?.context;
}

/** Returns the nearest open span around `call`, otherwise the open span of the run. */
export function openRecord(runtime: RuntimeContext, call: CallId | undefined): SpanRecord | undefined {
  for (let at = call; at !== undefined; at = at.parent) {
    const record = recordOf(at);
    if (record?.open) return record;
  }
  const { root } = spansOf(runtime);
  return root?.open ? root : undefined;
}

/** Returns the spans of a run that may have ended already. Returns `undefined` if its state has been released. */
function ended(runtime: RuntimeContext): RunSpans | undefined {
  try {
    return spansOf(runtime);
  } catch {
    return undefined;
  }
}
