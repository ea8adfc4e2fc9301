import type { HrTime, SpanContext } from "@opentelemetry/api";
import type { ExportedSpan } from "../redact/exported-span.js";
import { renderTree, type TreeNode } from "./render-tree.js";

/** The options of `consoleTree`. */
export interface ConsoleTreeOptions {
  /**
   * Receives text that ends with a line break. Default: standard error, so that it does not mix with the program's
   * output.
   */
  readonly write?: (text: string) => void;
}

/** `SpanProcessor` of the SDK's versions 1 to 3. */
export interface TreeProcessor {
  onStart(span: { spanContext(): SpanContext }): void;
  onEnd(span: ExportedSpan): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * Maximum number of traces and spans that are held. Above it they are printed early, since a trace that never ends must
 * not grow without bound.
 */
const MOST_TRACES = 100;
const MOST_SPANS = 1000;

/** The spans of one trace that this process has seen. */
interface Trace {
  readonly running: Set<string>;
  readonly ended: Map<string, ExportedSpan>;
}

/**
 * Prints each trace as a tree when the last of its spans has ended: for those without a collector.
 *
 * ```
 * invoke_agent support 1.9s
 * ├─ chat gpt-5 0.8s 512→64 tokens
 * └─ execute_tool refund [external] 42s approved
 * ```
 */
export function consoleTree({ write = toStandardError }: ConsoleTreeOptions = {}): TreeProcessor {
  const traces = new Map<string, Trace>();
  const print = (traceId: string, trace: Trace): void => {
    traces.delete(traceId);
    for (const root of rootsOf(trace.ended)) write(`${renderTree(root).join("\n")}\n`);
  };
  const printAll = async (): Promise<void> => {
    for (const [traceId, trace] of traces) print(traceId, trace);
  };
  return {
    onStart(span) {
      const { traceId, spanId } = span.spanContext();
      let trace = traces.get(traceId);
      if (trace === undefined) {
        trace = { running: new Set(), ended: new Map() };
        traces.set(traceId, trace);
        const [oldest] = traces;
        if (traces.size > MOST_TRACES && oldest !== undefined) print(...oldest);
      }
      trace.running.add(spanId);
    },
    onEnd(span) {
      const { traceId, spanId } = span.spanContext();
      const trace = traces.get(traceId) ?? { running: new Set(), ended: new Map() };
      trace.running.delete(spanId);
      trace.ended.set(spanId, span);
      if (trace.running.size === 0 || trace.ended.size >= MOST_SPANS) print(traceId, trace);
    },
    forceFlush: printAll,
    shutdown: printAll,
  };
}

/** Returns the spans whose parent is not among them, each with its descendants. */
function rootsOf(spans: ReadonlyMap<string, ExportedSpan>): TreeNode[] {
  const children = new Map<string, TreeNode[]>();
  const roots: TreeNode[] = [];
  for (const span of [...spans.values()].sort((a, b) => compare(a.startTime, b.startTime))) {
    const below: TreeNode[] = children.get(span.spanContext().spanId) ?? [];
    children.set(span.spanContext().spanId, below);
    const parent = span.parentSpanContext?.spanId ?? span.parentSpanId;
    const siblings = parent !== undefined && spans.has(parent) ? (children.get(parent) ?? []) : roots;
    if (parent !== undefined && siblings !== roots) children.set(parent, siblings);
    siblings.push({ span, children: below });
  }
  return roots;
}

const compare = (a: HrTime, b: HrTime): number => a[0] - b[0] || a[1] - b[1];

const toStandardError = (text: string): void => {
  process.stderr.write(text);
};
