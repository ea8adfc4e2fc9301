/** A value of OTLP in JSON. */
type Value =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values?: readonly Value[] } };

type Attributes = readonly { readonly key: string; readonly value: Value }[];

/** A span of OTLP in JSON, as far as the tests look at it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes?: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes?: Attributes }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string; readonly attributes?: Attributes }[];
}

interface Request {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans?: readonly Span[] }[] }[];
}

/** Every span in these requests. */
export const spansOf = (bodies: readonly string[]): Span[] =>
  bodies
    .map((body) => JSON.parse(body) as Request)
    .flatMap(({ resourceSpans = [] }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans = [] }) => spans);

/** Attributes as an object. */
export const plain = (attributes: Attributes = []): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));

function plainValue(value: Value): unknown {
  if ("arrayValue" in value) return (value.arrayValue.values ?? []).map(plainValue);
  return "intValue" in value ? Number(value.intValue) : Object.values(value)[0];
}

export const attribute = (span: Span, key: string): unknown => plain(span.attributes)[key];

/** The traces of each conversation. In the order of their names: spans start on whole milliseconds, so that times tell no order. */
export function conversations(spans: readonly Span[]): Map<string, string[][]> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) traces.set(span.traceId, [...(traces.get(span.traceId) ?? []), span]);
  const named = new Map<string, string[][]>();
  for (const trace of traces.values()) {
    const name = String(trace.map((span) => attribute(span, "gen_ai.conversation.id")).find(Boolean) ?? "");
    named.set(name, [...(named.get(name) ?? []), outline(trace)].sort());
  }
  return named;
}

/** One line per span, below its parent; a span without its parent is said to be one. */
export function outline(trace: readonly Span[]): string[] {
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
