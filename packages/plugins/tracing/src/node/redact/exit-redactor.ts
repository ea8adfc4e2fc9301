import type { TraceState } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { SUITE } from "../../attributes/own-names.js";
import { EXEMPT } from "../../attributes/redact.js";
import { ATTR } from "../../attributes/semconv.js";
import type { ExportedResource, LogScope } from "./exported-span.js";

/** The options of redaction at export. */
export interface ExitOptions {
  /** Further attribute keys that are not redacted, such as `net.peer.name`. Ids and `service.*` are never redacted. */
  readonly exempt?: readonly string[];
  /**
   * Maximum length of a string in an attribute of a span, an event or a log record, in characters. Strings are cut
   * after redaction. A provider with a length limit cuts them before, and the redactor does not recognise half a value.
   * Default: no limit.
   */
  readonly attributeValueLengthLimit?: number | undefined;
}

/**
 * Attributes that are not redacted at export, in addition to the ids and closed vocabularies of the GenAI conventions.
 */
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

/** Maximum number of cached keys. A program uses few keys, whatever it traces. */
const MOST_KEYS = 1000;

/** Redacts the parts of spans and log records of any instrumentation. */
export class ExitRedactor {
  readonly #redactor: Redactor;
  readonly #exempt: ReadonlySet<string>;
  readonly #longest: number;
  /** The redacted form of each known key. */
  readonly #keys: Map<string, string>;
  /** Exporters group by resource and scope objects, so that the same object must stay the same. */
  readonly #resources = new WeakMap<ExportedResource, ExportedResource>();
  readonly #scopes = new WeakMap<LogScope, LogScope>();

  constructor(redactor: Redactor, { exempt = [], attributeValueLengthLimit }: ExitOptions = {}) {
    this.#redactor = redactor;
    this.#longest = attributeValueLengthLimit ?? Number.POSITIVE_INFINITY;
    const general = [...EXEMPT].filter((key) => key !== ATTR.serverAddress);
    this.#exempt = new Set([...general, ...INFRASTRUCTURE, ...exempt]);
    const exemptKeys = [...this.#exempt, ...Object.values(ATTR), ...Object.values(SUITE)];
    this.#keys = new Map(exemptKeys.map((key) => [key, key]));
  }

  /** Redacts a string. JSON is parsed first, so that it stays valid and escapes hide nothing. */
  text(text: string): string {
    const first = text[0];
    if (first !== "{" && first !== "[") return this.#text(text);
    try {
      return JSON.stringify(this.#redactor.value(JSON.parse(text)));
    } catch {
      return this.#text(text);
    }
  }

  /** Redacts any value. Numbers can be personal data too. */
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? this.text(item) : this.#any(item)));
    return this.#any(value);
  }

  /** Redacts keys and values, except those of exempt keys. */
  attributes<T>(attributes: Readonly<Record<string, T>>): Record<string, T> {
    // The server of a model comes from configuration. The server of a tool call may come from a model or a user.
    const model = ATTR.operationName in attributes ? ATTR.serverAddress : undefined;
    const redacted = Object.entries(attributes).map(([key, value]) =>
      this.#exempt.has(key) || key === model ? [key, value] : [this.#key(key), this.value(value)],
    );
    return Object.fromEntries(redacted) as Record<string, T>;
  }

  /** Redacts the attributes and cuts strings to the maximum length. */
  recorded<T>(attributes: Readonly<Record<string, T>>): Record<string, T> {
    const redacted = this.attributes(attributes);
    if (this.#longest === Number.POSITIVE_INFINITY) return redacted;
    for (const [key, value] of Object.entries(redacted)) redacted[key] = this.#cut(value) as T;
    return redacted;
  }

  #cut(value: unknown): unknown {
    if (typeof value === "string") return value.slice(0, this.#longest);
    return Array.isArray(value) ? value.map((item) => this.#cut(item)) : value;
  }

  resource<Resource extends ExportedResource>(resource: Resource): Resource {
    const known = this.#resources.get(resource);
    if (known !== undefined) return known as Resource;
    const attributes = this.attributes(resource.attributes);
    const redacted: Resource = Object.create(resource, { attributes: { value: attributes, enumerable: true } });
    if (resource.asyncAttributesPending !== true) this.#resources.set(resource, redacted);
    return redacted;
  }

  /** Redacts the instrumentation scope: programs choose its name. */
  scope(scope: LogScope): LogScope {
    const known = this.#scopes.get(scope);
    if (known !== undefined) return known;
    const { name, version, attributes } = scope;
    const redacted = {
      ...scope,
      name: this.text(name),
      ...(version !== undefined && { version: this.text(version) }),
      ...(attributes !== undefined && { attributes: this.attributes(attributes) }),
    };
    this.#scopes.set(scope, redacted);
    return redacted;
  }

  /**
   * Returns the trace state of other systems unchanged, or `undefined` if the redactor changes it. The other systems
   * could not read it with a part replaced.
   */
  traceState(state: TraceState): TraceState | undefined {
    const text = state.serialize();
    return this.#redactor.redact(text) === text ? state : undefined;
  }

  /** Redacts a string. Web forms write spaces as `+`, also within the groups of a number. */
  #text(text: string): string {
    const redacted = this.#redactor.redact(text);
    if (!/[\dA-Za-z]\+[\dA-Za-z]/.test(redacted)) return redacted;
    const spaced = redacted.replaceAll("+", " ");
    const again = this.#redactor.redact(spaced);
    return again === spaced ? redacted : again;
  }

  /** Redacts a value other than a string. Bytes are not redacted. */
  #any(value: unknown): unknown {
    const holdsNone = value === undefined || typeof value === "boolean" || ArrayBuffer.isView(value);
    return holdsNone ? value : this.#redactor.value(value);
  }

  #key(key: string): string {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const redacted = this.#redactor.redact(key);
    if (this.#keys.size < MOST_KEYS) this.#keys.set(key, redacted);
    return redacted;
  }
}
