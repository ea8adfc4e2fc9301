import type { Attributes, Context, TimeInput } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { SUITE } from "../attributes/own-names.js";
import type { Capture } from "../content/capture.js";
import type { ContentWriter } from "../content/writer.js";
import { type EventLogger, type LogAttributes, SEVERITY } from "./logger.js";

/** Writes the content of one call. */
export type WriteContent = (writer: ContentWriter) => Attributes;

/**
 * Collects the event that describes one call like its span, with the content as structured values. It is emitted when
 * the call has ended, successfully or not, whether or not its span is sampled.
 */
export class CallDetails {
  readonly #attributes: LogAttributes = {};
  readonly #logger: EventLogger;
  readonly #eventName: string;
  readonly #writer: ContentWriter | undefined;

  constructor(logger: EventLogger, eventName: string, writer: ContentWriter | undefined) {
    this.#logger = logger;
    this.#eventName = eventName;
    this.#writer = writer;
  }

  /** @param attributes redacted attributes */
  add(attributes: Attributes): void {
    Object.assign(this.#attributes, attributes);
  }

  /** @param written the content that was already written for the span, if any */
  addContent(write: WriteContent, written: Attributes | undefined): void {
    if (this.#writer === undefined) return;
    for (const [key, json] of Object.entries(written ?? write(this.#writer))) {
      if (typeof json === "string") this.#attributes[key] = JSON.parse(json, storable);
    }
  }

  emit(context: Context, timestamp: TimeInput): void {
    if (this.#writer?.truncated === true) this.#attributes[SUITE.contentTruncated] = true;
    this.#logger.emit({
      eventName: this.#eventName,
      severityNumber: SEVERITY.debug,
      timestamp,
      attributes: this.#attributes,
      context,
    });
  }
}

/** Names that objects have by default. The SDK drops a whole attribute for the first, and loses the second. */
const RESERVED: ReadonlySet<string> = new Set(["constructor", "__proto__"]);

/** Renames reserved keys. A model chooses the keys of arguments, and no key may keep a call out of the log. */
function storable(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (!Object.keys(value).some((key) => RESERVED.has(key))) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [RESERVED.has(key) ? `${key}_` : key, item]));
}

/** Returns the collector for the details of one call. Returns `undefined` if no logger accepts them. */
export type DetailsSource = (
  eventName: string,
  context: Context,
  redactor: Redactor | undefined,
) => CallDetails | undefined;

/** @param warn reports that no logger is registered */
export const detailsSource =
  (logger: () => EventLogger | undefined, capture: Capture, warn: () => void): DetailsSource =>
  (eventName, context, redactor) => {
    const to = logger();
    if (to === undefined) {
      warn();
      return undefined;
    }
    // Prompts and answers are not serialized for a logger that drops them.
    if (to.enabled?.({ context, severityNumber: SEVERITY.debug, eventName }) === false) return undefined;
    return new CallDetails(to, eventName, capture(redactor));
  };
