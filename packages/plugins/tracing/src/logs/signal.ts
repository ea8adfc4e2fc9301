import { variable } from "../environment.js";
import { TracingError } from "../errors.js";

/**
 * The signal that events are recorded as.
 *
 * - `span`: events of the span that they belong to.
 * - `log`: log records in the context of that span, by the logs API of OpenTelemetry.
 * - `both`: both.
 */
export type EventSignal = "span" | "log" | "both";

/** The signal of each sort of event. */
export interface Signals {
  /** Exceptions. */
  readonly exceptions: EventSignal;
  /** The signal of decisions (of guards, people, limits), suspensions and faults. */
  readonly told: EventSignal;
  /** Whether each model call's `gen_ai.client.inference.operation.details` is emitted, which is a log record only. */
  readonly details: boolean;
}

const VARIABLE = "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN";

/**
 * The signals of events. The one that code asks for is for all of them. Where it asks for nothing: spans; exceptions as
 * the standard variable says, which is for them alone; and details where content is asked for on events.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function signalsOf(asked: EventSignal | undefined, contentOnEvents: boolean): Signals {
  if (asked === undefined) return { exceptions: fromEnvironment(), told: "span", details: contentOnEvents };
  if (asked !== "span" && asked !== "log" && asked !== "both") {
    throw new TracingError("ERR_TRACING_INVALID_OPTION", 'tracing({ events }): use "span", "log" or "both".');
  }
  return { exceptions: asked, told: asked, details: asked !== "span" };
}

/** The signal of exceptions by the core conventions: `logs` in place of span events, `logs/dup` beside them. */
function fromEnvironment(): EventSignal {
  const value = variable(VARIABLE);
  if (value === "logs") return "log";
  return value === "logs/dup" ? "both" : "span";
}
