import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { EXEMPT } from "../attributes.js";

type Resource = ReadableSpan["resource"];

/** Left as they are at the exit, besides the ids and closed vocabularies of the GenAI conventions. */
const INFRASTRUCTURE = [
  "server.port",
  "service.name",
  "service.namespace",
  "service.version",
  "service.instance.id",
  "telemetry.sdk.name",
  "telemetry.sdk.language",
  "telemetry.sdk.version",
];

/** A key that can hold nobody's data: lower-case words, as conventions spell them. */
const PLAIN_KEY = /^[a-z_.]+$/;

/** Redacts whole spans of any instrumentation. */
export class SpanRedactor {
  readonly #redactor: Redactor;
  readonly #exempt: ReadonlySet<string>;
  /** Exporters group spans by resource object: equal must stay the same. */
  readonly #resources = new WeakMap<Resource, Resource>();

  /** @param exempt further attribute keys to leave as they are, such as `net.peer.name`. */
  constructor(redactor: Redactor, exempt: readonly string[] = []) {
    this.#redactor = redactor;
    this.#exempt = new Set([...EXEMPT, ...INFRASTRUCTURE, ...exempt]);
  }

  /** A copy of the span with every string redacted: name, attributes, events, links, status, resource. Ids and times stay. */
  span(span: ReadableSpan): ReadableSpan {
    const { message } = span.status;
    return {
      name: this.#text(span.name),
      kind: span.kind,
      spanContext: () => span.spanContext(),
      ...(span.parentSpanContext && { parentSpanContext: span.parentSpanContext }),
      startTime: span.startTime,
      endTime: span.endTime,
      duration: span.duration,
      ended: span.ended,
      status: message === undefined ? span.status : { ...span.status, message: this.#text(message) },
      attributes: this.#attributes(span.attributes),
      events: span.events.map((event) => ({
        ...event,
        name: this.#text(event.name),
        ...(event.attributes && { attributes: this.#attributes(event.attributes) }),
      })),
      links: span.links.map((link) => ({
        ...link,
        ...(link.attributes && { attributes: this.#attributes(link.attributes) }),
      })),
      resource: this.#resource(span.resource),
      instrumentationScope: span.instrumentationScope,
      droppedAttributesCount: span.droppedAttributesCount,
      droppedEventsCount: span.droppedEventsCount,
      droppedLinksCount: span.droppedLinksCount,
    };
  }

  #attributes(attributes: Attributes): Attributes {
    const redacted: Attributes = {};
    for (const [key, value] of Object.entries(attributes)) {
      if (this.#exempt.has(key)) redacted[key] = value;
      else redacted[PLAIN_KEY.test(key) ? key : this.#redactor.redact(key)] = this.#value(value);
    }
    return redacted;
  }

  #value(value: AttributeValue | undefined): AttributeValue | undefined {
    if (typeof value === "string") return this.#text(value);
    if (!Array.isArray(value)) return value;
    return value.map((item) => (typeof item === "string" ? this.#text(item) : item)) as AttributeValue;
  }

  /** JSON is redacted as what it stands for, so that it stays valid and escapes hide nothing. */
  #text(text: string): string {
    const first = text[0];
    if (first !== "{" && first !== "[") return this.#redactor.redact(text);
    try {
      return JSON.stringify(this.#redactor.value(JSON.parse(text)));
    } catch {
      return this.#redactor.redact(text);
    }
  }

  #resource(resource: Resource): Resource {
    const known = this.#resources.get(resource);
    if (known !== undefined) return known;
    const attributes = this.#attributes(resource.attributes);
    const redacted: Resource = Object.create(resource, { attributes: { value: attributes, enumerable: true } });
    if (resource.asyncAttributesPending !== true) this.#resources.set(resource, redacted);
    return redacted;
  }
}
