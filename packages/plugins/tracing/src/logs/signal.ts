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
  readonly exceptions: EventSignal;
  /** The signal of decisions (of guards, people, limits), suspensions and faults. */
  readonly notices: EventSignal;
  /** True if `gen_ai.client.inference.operation.details` is emitted for each model call, as a log record only. */
  readonly details: boolean;
}

const VARIABLE = "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN";

/**
 * Returns the signals of events. The option applies to all of them. Without it, events go to spans, exceptions to the
 * signal of the standard variable, and details are emitted if content on events was requested.
 *
 * @throws TracingError `ERR_TRACING_INVALID_OPTION`
 */
export function signalsOf(option: EventSignal | undefined, contentOnEvents: boolean): Signals {
  if (option === undefined) return { exceptions: fromEnvironment(), notices: "span", details: contentOnEvents };
  if (option !== "span" && option !== "log" && option !== "both") {
    throw new TracingError("ERR_TRACING_INVALID_OPTION", 'tracing({ events }): use "span", "log" or "both".');
  }
  return { exceptions: option, notices: option, details: option !== "span" };
}

/** Reads the signal of exceptions by the core conventions: `logs` replaces span events, `logs/dup` adds logs. */
function fromEnvironment(): EventSignal {
  const value = variable(VARIABLE);
  if (value === "logs") return "log";
  return value === "logs/dup" ? "both" : "span";
}
