import type { Span } from "./span.js";

/** A span with its place in the tree. */
export interface Row {
  readonly span: Span;
  readonly depth: number;
}

/**
 * Returns the spans of a run, of one trace or several, as rows: parents before their children, in order of time. A span
 * without its parent is at the top. Spans in a cycle of parents are kept, too.
 */
export function rowsOf(spans: readonly Span[]): readonly Row[] {
  const ids = new Set(spans.map((span) => keyOf(span)));
  const children = new Map<string, Span[]>();
  const roots: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const parent = span.parentSpanId === undefined ? undefined : keyOf(span, span.parentSpanId);
    if (parent === undefined || parent === keyOf(span) || !ids.has(parent)) roots.push(span);
    else {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [span]);
      else siblings.push(span);
    }
  }
  const rows: Row[] = [];
  const seen = new Set<string>();
  const walk = (starts: readonly Span[]): void => {
    const stack = starts.map((span) => ({ span, depth: 0 })).reverse();
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { span, depth } = next;
      if (seen.has(keyOf(span))) continue;
      seen.add(keyOf(span));
      const childSpans = children.get(keyOf(span)) ?? [];
      rows.push({ span, depth });
      for (let at = childSpans.length - 1; at >= 0; at--)
        stack.push({ span: childSpans[at] as Span, depth: depth + 1 });
    }
  };
  walk(roots);
  if (rows.length < spans.length) walk(spans.filter((span) => !seen.has(keyOf(span))));
  return rows;
}

/** Returns a key that is unique among the spans of several traces. */
const keyOf = ({ traceId, spanId }: Span, id = spanId): string => `${traceId} ${id}`;
