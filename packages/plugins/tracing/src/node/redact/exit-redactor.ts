import type { TraceState } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { OWN } from "../../attributes/own-names.js";
import { EXEMPT } from "../../attributes/redact.js";
import { ATTR } from "../../attributes/semconv.js";
import type { ExportedResource, LogScope } from "./exported-span.js";

/** The options of redaction at the exit. */
export interface ExitOptions {
  /** Further attribute keys to leave as they are, such as `net.peer.name`. Ids and `service.*` are left anyway. */
  readonly exempt?: readonly string[];
  /**
   * The longest string in an attribute of a span, an event or a log record, in characters: cut after it was redacted. A
   * provider that cuts by itself does so before, and half a value is not recognised. Default: none is cut.
   */
  readonly attributeValueLengthLimit?: number | undefined;
}

/** Attributes that are left as they are at the exit, besides the ids and closed vocabularies of the GenAI conventions. */
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

/** Keys that are known by heart are not looked through again: those of programs are few, whatever they trace. */
const MOST_KEYS = 1000;

/** Redacts the parts that spans and log records of any instrumentation are made of. */
export class ExitRedactor {
  readonly #redactor: Redactor;
  readonly #exempt: ReadonlySet<string>;
  readonly #longest: number;
  /** Keys as they leave. */
  readonly #keys: Map<string, string>;
  /** Exporters group by resource and scope objects: what was the same must stay the same. */
  readonly #resources = new WeakMap<ExportedResource, ExportedResource>();
  readonly #scopes = new WeakMap<LogScope, LogScope>();

  constructor(redactor: Redactor, { exempt = [], attributeValueLengthLimit }: ExitOptions = {}) {
    this.#redactor = redactor;
    this.#longest = attributeValueLengthLimit ?? Number.POSITIVE_INFINITY;
    const general = [...EXEMPT].filter((key) => key !== ATTR.serverAddress);
    this.#exempt = new Set([...general, ...INFRASTRUCTURE, ...exempt]);
    const own = [...this.#exempt, ...Object.values(ATTR), ...Object.values(OWN)];
    this.#keys = new Map(own.map((key) => [key, key]));
  }

  /** JSON is redacted as what it stands for, so that it stays valid and escapes hide nothing. */
  text(text: string): string {
    const first = text[0];
    if (first !== "{" && first !== "[") return this.#plain(text);
    try {
      return JSON.stringify(this.#redactor.value(JSON.parse(text)));
    } catch {
      return this.#plain(text);
    }
  }

  /** Any value that may leave: a number can be somebody's as well. */
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? this.text(item) : this.#any(item)));
    return this.#any(value);
  }

  /** Keys and values, but for those of exempt keys. */
  attributes<T>(attributes: Readonly<Record<string, T>>): Record<string, T> {
    // The server of a model is configured. One that a tool asks may have been named by anybody.
    const model = ATTR.operationName in attributes ? ATTR.serverAddress : undefined;
    const redacted = Object.entries(attributes).map(([key, value]) =>
      this.#exempt.has(key) || key === model ? [key, value] : [this.#key(key), this.value(value)],
    );
    return Object.fromEntries(redacted) as Record<string, T>;
  }

  /** The attributes, redacted, with strings within the limit of length. */
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

  /** The instrumentation scope, redacted: its name is one that programs choose. */
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

  /** The trace state of other systems: as it is, or not at all. They could not read it with a part replaced. */
  traceState(state: TraceState): TraceState | undefined {
    const text = state.serialize();
    return this.#redactor.redact(text) === text ? state : undefined;
  }

  /** Forms of web pages write spaces as `+`, also within the groups of a number. */
  #plain(text: string): string {
    const redacted = this.#redactor.redact(text);
    if (!/[\dA-Za-z]\+[\dA-Za-z]/.test(redacted)) return redacted;
    const spaced = redacted.replaceAll("+", " ");
    const again = this.#redactor.redact(spaced);
    return again === spaced ? redacted : again;
  }

  /** Bytes are not text. */
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
