import type { Attributes } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { CoreError } from "@suite/core";
import { errorTypeOf } from "@suite/core/error-type";
import { ATTR, OTHER } from "./semconv.js";

/** `error.type` of a result that says itself that it failed, as the conventions have it for MCP. */
export const TOOL_ERROR = "tool_error";

/** `error.type` of a call that a person or a policy refused, in whichever place the framework asks. */
export const DENIED = "denied";

/** The status message of a call that was refused. */
export const REFUSED = "The call was refused.";

/** A property of whatever was thrown; a getter that throws hides nothing else. */
function read(error: unknown, property: string): unknown {
  try {
    return (Object(error) as Record<string, unknown>)[property];
  } catch {
    return undefined;
  }
}

/** Whether a run was aborted. One whose consumer stopped reading is told to stop by core: nothing went wrong. */
export const isAborted = ({ aborted, reason }: AbortSignal): boolean => aborted && !isCancellation(reason);

/** Whether an answer that was cancelled for this reason was aborted. One that core took back, for another attempt say, was not. */
export const wasAborted = (reason: unknown, signal: AbortSignal): boolean =>
  isAborted(signal) && !isCancellation(reason);

/** Whether a call stopped since its run was told to, though nobody had aborted it. */
export const isLetGo = (error: unknown, { reason }: AbortSignal): boolean => error === reason && isCancellation(error);

const isCancellation = (error: unknown): boolean => CoreError.is(error) && error.code === "ERR_CANCELLED";

/** `error.type` of an aborted call: what the reason is called, such as `TimeoutError`, or `cancelled`. */
export function abortType(reason: unknown): string {
  const type = errorTypeOf(reason);
  return type === OTHER || type === "Error" ? "cancelled" : type;
}

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  const message = typeof error === "string" ? error : read(error, "message");
  return typeof message === "string" ? message : "";
}

/** The most causes of an error that are told. */
const MOST_CAUSES = 4;

/** The causes of an error, each the cause of the one before; of several at once, the first. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = causeOf(error); at !== undefined && at !== null; at = causeOf(at)) {
    if (causes.length === MOST_CAUSES || at === error || causes.includes(at)) break;
    causes.push(at);
  }
  return causes;
}

function causeOf(error: unknown): unknown {
  // `lastError` is what a retry of the AI SDK gave up with.
  const cause = read(error, "cause") ?? read(error, "lastError");
  if (cause !== undefined) return cause;
  const errors = read(error, "errors");
  return Array.isArray(errors) ? read(errors, "0") : undefined;
}

/** The `error.type` of what lies at the bottom of an error; undefined where that is nothing of its own. */
export function causeType(error: unknown): string | undefined {
  const types = causesOf(error).map(errorTypeOf);
  return types.findLast((type) => type !== OTHER && type !== "Error");
}

/**
 * The message of an error, and the kind of error that lies at its bottom. Messages of causes are not told: a guard that
 * fails says nothing of the value that it failed on, and its cause may.
 */
export function messageWithCause(error: unknown): string {
  const message = errorMessage(error);
  const cause = causeType(error);
  if (cause === undefined || message.includes(cause)) return message;
  return message === "" ? cause : `${message} (${cause})`;
}

/** The attributes of the `exception` event, redacted. */
export function exceptionAttributes(error: unknown, redactor: Redactor | undefined): Attributes {
  const redact = (text: string): string => redactor?.redact(text) ?? text;
  const attributes: Attributes = { [ATTR.exceptionType]: redact(errorTypeOf(error)) };
  const message = errorMessage(error);
  if (message !== "") attributes[ATTR.exceptionMessage] = redact(message);
  const stack = read(error, "stack");
  if (typeof stack === "string") attributes[ATTR.exceptionStacktrace] = redact(stack);
  return attributes;
}
