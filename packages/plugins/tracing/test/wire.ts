import type { Receiver } from "./receiver.js";

/** A span as OTLP has it in JSON. */
export interface WireSpan {
  readonly name: string;
  readonly spanId: string;
  readonly traceId: string;
  readonly traceState?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string; readonly attributes: WireSpan["attributes"] }[];
}

/** The spans that a receiver got, in the order in which they came. */
export const spansAt = ({ bodies }: Receiver): WireSpan[] =>
  bodies.flatMap((body) => {
    const { resourceSpans = [] } = JSON.parse(body) as {
      resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });

/** The attributes of a span or an event as an object; lists as OTLP has them. */
export const attributesOf = ({ attributes }: Pick<WireSpan, "attributes">): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The attributes of the spans of one name. */
export const attributesNamed = (receiver: Receiver, name: string): Record<string, unknown>[] =>
  spansAt(receiver)
    .filter((span) => span.name === name)
    .map(attributesOf);
