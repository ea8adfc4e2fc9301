import { type Redactor, type RuntimeContext, stateKey } from "@suite/core";
import { exceptionAttributes } from "../attributes/errors.js";
import { EXCEPTION_EVENT } from "../attributes/semconv.js";
import { SEVERITY } from "./logger.js";
import type { EventRoute, Place } from "./route.js";

/** An error that was thrown in a call. */
export interface Thrown {
  readonly error: unknown;
  readonly runtime: RuntimeContext;
  readonly redactor: Redactor | undefined;
  /** The conventions' name of such an exception in logs. */
  readonly logName: string | undefined;
}

/** The errors that already have a log record, so that an exception that passes through many calls has only one. */
const logged = stateKey("tracing.logged-exceptions", () => new WeakSet<object>());

/**
 * Records an exception on each span that it ends, and once in logs, at the innermost span. Its attributes are set one by
 * one: a logger that receives the exception itself would read it without redaction.
 */
export function recordException(route: EventRoute, target: Place, thrown: Thrown): void {
  route.emit(target, {
    name: EXCEPTION_EVENT,
    logName: thrown.logName,
    // The conventions use this severity for errors that the caller is expected to handle.
    severity: SEVERITY.warn,
    attributes: exceptionAttributes(thrown.error, thrown.redactor),
    logged: route.logs && wasLogged(thrown),
  });
}

/** Returns true if an error has a log record. Also marks it in the outer runs, since it may pass through them. */
function wasLogged({ error, runtime }: Thrown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (runtime.get(logged).has(error)) return true;
  for (let run: RuntimeContext | undefined = runtime; run !== undefined; run = run.parent) {
    try {
      run.get(logged).add(error);
    } catch {
      // The outer run ended before the run that it started.
    }
  }
  return false;
}
