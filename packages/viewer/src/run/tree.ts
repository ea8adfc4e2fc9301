import type { Span } from "./span.js";

/** A span where it stands in its tree. */
export interface Row {
  readonly span: Span;
  readonly depth: number;
  readonly children: number;
}

/**
 * The spans of a run as rows, parents before their children, in the order of time. Spans whose parent has not come, or never
 * will, stand at the top; of spans that are each other's parents none is lost.
 */
export function rowsOf(spans: readonly Span[]): readonly Row[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const children = new Map<string, Span[]>();
  const roots: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const { parentSpanId } = span;
    if (parentSpanId === undefined || parentSpanId === span.spanId || !ids.has(parentSpanId)) roots.push(span);
    else {
      const siblings = children.get(parentSpanId);
      if (siblings === undefined) children.set(parentSpanId, [span]);
      else siblings.push(span);
    }
  }
  const rows: Row[] = [];
  const seen = new Set<string>();
  const walk = (starts: readonly Span[]): void => {
    const stack = starts.map((span) => ({ span, depth: 0 })).reverse();
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { span, depth } = next;
      if (seen.has(span.spanId)) continue;
      seen.add(span.spanId);
      const own = children.get(span.spanId) ?? [];
      rows.push({ span, depth, children: own.length });
      for (let at = own.length - 1; at >= 0; at--) stack.push({ span: own[at] as Span, depth: depth + 1 });
    }
  };
  walk(roots);
  if (rows.length < spans.length) walk(spans.filter(({ spanId }) => !seen.has(spanId)));
  return rows;
}
