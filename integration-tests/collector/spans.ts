/** A span of OTLP in JSON, as far as the tests look at it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number };
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

interface Request {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** Every span in these requests. */
export const spansOf = (bodies: readonly string[]): Span[] =>
  bodies
    .map((body) => JSON.parse(body) as Request)
    .flatMap(({ resourceSpans = [] }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);

export const attribute = (span: Span, key: string): string | undefined =>
  span.attributes?.find((each) => each.key === key)?.value.stringValue;

/** The traces of each conversation. In the order of their names: spans start on whole milliseconds, so that times tell no order. */
export function conversations(spans: readonly Span[]): Map<string, string[][]> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span]);
  const named = new Map<string, string[][]>();
  for (const trace of traces.values()) {
    const name = trace.map((span) => attribute(span, "gen_ai.conversation.id")).find((id) => id !== undefined) ?? "";
    named.set(name, [...(named.get(name) ?? []), outline(trace)].sort());
  }
  return named;
}

/** One line per span, below its parent; a span without its parent is said to be one. */
function outline(trace: readonly Span[]): string[] {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const below = (parent: string | undefined): string[][] =>
    trace
      .filter(({ parentSpanId }) => (parentSpanId || undefined) === parent)
      .map((span) => [
        `${span.name}${span.status?.code === 2 ? " failed" : ""}`,
        ...below(span.spanId).flatMap((lines) => lines.map((line) => `  ${line}`)),
      ])
      .sort();
  const orphans = trace.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId));
  return [...below(undefined).flat(), ...orphans.map(({ name }) => `orphan: ${name}`)];
}
