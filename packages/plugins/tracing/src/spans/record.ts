import { type Context, context, createContextKey, type Span } from "@opentelemetry/api";
import { type CallId, type RuntimeContext, spansKey, stateKey } from "@suite/core";

/** A span that stands for a call, and what makes it current. */
export interface SpanRecord {
  readonly span: Span;
  readonly context: Context;
  /** False once it has ended: nothing may be written to it any more. */
  open: boolean;
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
  readonly byCall: WeakMap<CallId, SpanRecord>;
  /** Of the run itself: the first agent call, or whatever came first where a framework has no such place. */
  root: SpanRecord | undefined;
  /** Those whose calls have not ended, in the order in which they began. */
  readonly running: Set<SpanRecord>;
}

const runSpans = stateKey<RunSpans>("tracing.spans", () => ({
  byCall: new WeakMap(),
  root: undefined,
  running: new Set(),
}));

/** Which call the active context belongs to. A span that the user opened inside inherits it. */
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
  spans.byCall.set(invocation.call, record);
  const { traceId, spanId } = record.span.spanContext();
  invocation.runtime.get(spansKey).set(invocation.call, { traceId, spanId });
  if (spans.root === undefined || !spans.root.open) spans.root = record;
  spans.running.add(record);
  return spans;
}

/** Ends what is open when its run has ended, inner calls first: a call that ignores its abort signal may never return. */
export function endSpans(runtime: RuntimeContext): void {
  const { running } = spansOf(runtime);
  for (const record of [...running].reverse()) record.abandon();
  running.clear();
}

/**
 * The context under which a call's span starts: that of the nearest enclosing call which has a span. It needs no
 * AsyncLocalStorage; where there is one, spans that the user opened in between are kept as parents.
 */
export function parentContext(invocation: Called): Context {
  const active = context.active();
  for (let call = invocation.call.parent; call !== undefined; call = call.parent) {
    const record = find(invocation.runtime, call);
    if (record !== undefined) return active.getValue(CURRENT_CALL) === call.id ? active : record.context;
  }
  const { parent } = invocation.runtime;
  if (parent === undefined || active.getValue(CURRENT_CALL) !== undefined) return active;
  return ended(parent)?.root?.context ?? active;
}

/** The span of the nearest call around `call` that has one and has not ended; else the open one of the run. */
export function openRecord(runtime: RuntimeContext, call: CallId | undefined): SpanRecord | undefined {
  for (let at = call; at !== undefined; at = at.parent) {
    const record = find(runtime, at);
    if (record?.open) return record;
  }
  const { root } = spansOf(runtime);
  return root?.open ? root : undefined;
}

/** The span of a call of this run, or of a run around it. */
function find(runtime: RuntimeContext, call: CallId): SpanRecord | undefined {
  for (let run: RuntimeContext | undefined = runtime; run !== undefined; run = run.parent) {
    const record = ended(run)?.byCall.get(call);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** A run may outlive the one that started it, whose state is gone by then. */
function ended(runtime: RuntimeContext): RunSpans | undefined {
  try {
    return spansOf(runtime);
  } catch {
    return undefined;
  }
}
