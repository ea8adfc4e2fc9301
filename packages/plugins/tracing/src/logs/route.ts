import type { Attributes, Context, Span } from "@opentelemetry/api";
import type { EventLogger, Severity } from "./logger.js";
import type { EventSignal } from "./signal.js";

/** One event. Its creator has redacted its attributes. */
export interface TelemetryEvent {
  readonly name: string;
  readonly attributes: Attributes;
  readonly severity: Severity;
  /** The name in logs, if the conventions have another one there. */
  readonly logName?: string | undefined;
  /** True if a log record of it already exists. */
  readonly logged?: boolean;
}

/** The span that an event belongs to. */
export interface Place {
  readonly span: Span;
  /** The context with that span in it. */
  readonly context: Context;
}

/** Sends events of one sort to spans, to logs, or to both. */
export class EventRoute {
  readonly #signal: EventSignal;
  readonly #logger: () => EventLogger | undefined;
  readonly #warn: () => void;

  /** @param warn reports that no logger is registered although one is needed */
  constructor(signal: EventSignal, logger: () => EventLogger | undefined, warn: () => void) {
    this.#signal = signal;
    this.#logger = logger;
    this.#warn = warn;
  }

  /**
   * True if log records are emitted. They are also emitted for spans that are not recorded: only traces are sampled.
   */
  get logs(): boolean {
    return this.#signal !== "span" && this.#logger() !== undefined;
  }

  /** Records an event. Without a logger it is added to the span whatever the option is, so that it is not lost. */
  emit(target: Place, event: TelemetryEvent): void {
    const { name, logName = name, attributes } = event;
    const logger = this.#signal === "span" ? undefined : this.#logger();
    if (logger === undefined || this.#signal === "both") target.span.addEvent(name, attributes);
    if (logger === undefined) {
      if (this.#signal !== "span") this.#warn();
    } else if (event.logged !== true) {
      const { context } = target;
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
