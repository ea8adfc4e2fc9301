import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { EventLogger, Severity } from "./logger.js";
import type { EventSignal } from "./signal.js";

/** One event. Its attributes are redacted by who makes it. */
export interface TelemetryEvent {
  readonly name: string;
  readonly attributes: Attributes;
  readonly severity: Severity;
  /** The name in logs, where the conventions have another there. */
  readonly logName?: string | undefined;
  /** A log record of it exists already. */
  readonly logged?: boolean;
}

/** The span that an event belongs to. */
export interface Place {
  readonly span: Span;
  /** The context with that span in it. */
  readonly context: Context;
}

/** The way that events of one sort take. */
export class EventRoute {
  readonly #signal: EventSignal;
  readonly #logger: () => EventLogger | undefined;
  readonly #warn: () => void;

  /** @param warn says that there is no logger where one is needed. */
  constructor(signal: EventSignal, logger: () => EventLogger | undefined, warn: () => void) {
    this.#signal = signal;
    this.#logger = logger;
    this.#warn = warn;
  }

  /** Whether log records come out, also where a span is not recorded: sampling is of traces. */
  get logs(): boolean {
    return this.#signal !== "span" && this.#logger() !== undefined;
  }

  /** Records an event. Without a logger it stands on the span, whatever was asked for: better there than nowhere. */
  emit(place: Place, event: TelemetryEvent): void {
    const { name, logName = name, attributes } = event;
    const logger = this.#signal === "span" ? undefined : this.#logger();
    if (logger === undefined || this.#signal === "both") place.span.addEvent(name, attributes);
    if (logger === undefined) {
      if (this.#signal !== "span") this.#warn();
    } else if (event.logged !== true) {
      const { context } = place;
      logger.emit({
        eventName: logName,
        severityNumber: event.severity,
        timestamp: Date.now(),
        attributes,
        context,
      });
    }
  }
}
