import { type Context, context, createContextKey, type Span, TraceFlags } from "@opentelemetry/api";
import { type CallId, type RuntimeContext, setSpanOf, stateKey } from "@suite/core";

/** A span that stands for a call, and what makes it current. */
export interface SpanRecord {
  readonly span: Span;
  readonly context: Context;
  /** Whether the span is open: once it has ended, nothing may be written to it any more. */
  open: boolean;
  /** True if a guard has refused the call: the answer is the guard's, and the tool did not run. */
  refused?: boolean;
  /** Ends it, if it has not ended: nobody will say any more how the call went. */
  abandon(): void;
}

/** A call and the run it belongs to. */
interface Called {
  readonly call: CallId;
  readonly runtime: RuntimeContext;
}

/** The spans of one run. */
export interface RunSpans {
  /** The span of the run itself: of the first agent call, or whatever came first where a framework has no such place. */
  root: SpanRecord | undefined;
  /** The spans whose calls have not ended, in the order in which they began. */
  readonly running: Set<Pick<SpanRecord, "abandon">>;
  /** The run has ended. */
  over: boolean;
}

const runSpans = stateKey<RunSpans>("tracing.spans", () => ({
  root: undefined,
  running: new Set(),
  over: false,
}));

const RECORD = Symbol("@suite/tracing/record");

/**
 * The span of a call stands on the call. Not in the state of its run, since what was begun inside may only start when
 * that run is over; and not in a WeakMap, since one that outlives the runs costs the garbage collector more than all
 * else that a span does.
 */
interface Recorded extends CallId {
  [RECORD]?: SpanRecord;
}

export const recordOf = (call: CallId): SpanRecord | undefined => (call as Recorded)[RECORD];

/** The call that the active context belongs to. A span that the user opened inside inherits it. */
const CURRENT_CALL = createContextKey("@suite/tracing/call");

/** The context in which `span` is current for the work of `call`. */
export const contextOf = (parent: Context, call: CallId): Context => parent.setValue(CURRENT_CALL, call.id);

/** The spans of `runtime`. */
export const spansOf = (runtime: RuntimeContext): RunSpans => runtime.get(runSpans);

/**
 * Files the span of a call: for the calls nested in it, for what is told about it, and for other plugins. Whoever
 * ends it takes it out of `running`.
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

/** Ends what is open when its run has ended, inner calls first: a call that ignores its abort signal may never return. */
export function endSpans(runtime: RuntimeContext): void {
  const spans = spansOf(runtime);
  spans.over = true;
  for (const record of [...spans.running].reverse()) record.abandon();
  spans.running.clear();
}

/** Whether the spans of this run have ended, all of them. */
export const isOver = (runtime: RuntimeContext): boolean => ended(runtime)?.over ?? true;

/**
 * The OpenTelemetry context in which a call's work is done: that of its span, or of the nearest one round it. Spans that
 * are started in it nest where they should also where there is no AsyncLocalStorage; where there is one, spans that
 * were opened in between are kept as parents, and there is no need to ask.
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

/** The context as `callContext` gives it, or undefined where no call that has a span is round: the run begins here. */
export function contextAround(innermost: CallId | undefined, runtime: RuntimeContext): Context | undefined {
  const active = context.active();
  for (let call = innermost; call !== undefined; call = call.parent) {
    const record = recordOf(call);
    if (record !== undefined) return active.getValue(CURRENT_CALL) === call.id ? active : record.context;
  }
  if (active.getValue(CURRENT_CALL) !== undefined) return active;
  return runtime.parent && ended(runtime.parent)?.root?.context;
}

/** The span of the nearest call around `call` that has one and has not ended; else the open one of the run. */
export function openRecord(runtime: RuntimeContext, call: CallId | undefined): SpanRecord | undefined {
  for (let at = call; at !== undefined; at = at.parent) {
    const record = recordOf(at);
    if (record?.open) return record;
  }
  const { root } = spansOf(runtime);
  return root?.open ? root : undefined;
}

/** A run may outlive the one that started it, whose state is gone by then. */
function ended(runtime: RuntimeContext): RunSpans | undefined {
  try {
    return spansOf(runtime);
  } catch {
    return undefined;
  }
}
