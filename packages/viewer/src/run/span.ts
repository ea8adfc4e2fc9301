/** Attributes of a span, an event, a link or a resource, as JSON. */
export type Attributes = Readonly<Record<string, unknown>>;

/** One span, as the page receives it. Times are milliseconds since the epoch. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly status: "unset" | "ok" | "error";
  readonly statusMessage?: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** `service.name` and other attributes. */
  readonly resource: Attributes;
  /** The instrumentation that created it. */
  readonly scope: string;
}

/** An event of a span. */
export interface SpanEvent {
  readonly name: string;
  readonly time: number;
  readonly attributes: Attributes;
}

/** A link of a span to another one. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** Returns the attribute if it is a string, otherwise `undefined`. */
export const textAt = (attributes: Attributes, key: string): string | undefined => {
  const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** Returns the attribute as a number, or 0 if it is not a number. */
export const numberAt = (attributes: Attributes, key: string): number => {
  const value = Object.hasOwn(attributes, key) ? Number(attributes[key]) : 0;
  return Number.isFinite(value) ? value : 0;
};
