import type { Attributes } from "@opentelemetry/api";
import type { Redactor } from "@suite/core";
import { CoreError } from "@suite/core";
import { errorTypeOf } from "@suite/kit/errors";
import { ATTR, OTHER } from "./semconv.js";

/** `error.type` of a result that is marked as an error, from the conventions for MCP. */
export const TOOL_ERROR = "tool_error";

/** `error.type` of a call that a person or a policy refused, at any place where the framework asks for approval. */
export const DENIED = "denied";

/** The status message of a call that was refused. */
export const REFUSED = "The call was refused.";

/** Reads a property of a thrown value. Returns `undefined` if its getter throws. */
function read(error: unknown, property: string): unknown {
  try {
    return (Object(error) as Record<string, unknown>)[property];
  } catch {
    return undefined;
  }
}

/** Returns true if a run was aborted. Core also cancels a run when its consumer stops reading; that is not an abort. */
export const isAborted = ({ aborted, reason }: AbortSignal): boolean => aborted && !isCancellation(reason);

/**
 * Returns true if an answer with this cancel reason was aborted. It was not if core cancelled it, for example for
 * another attempt.
 */
export const wasAborted = (reason: unknown, signal: AbortSignal): boolean =>
  isAborted(signal) && !isCancellation(reason);

/** Returns true if a call stopped because core cancelled its run, without an abort by the user. */
export const isLetGo = (error: unknown, { reason }: AbortSignal): boolean => error === reason && isCancellation(error);

const isCancellation = (error: unknown): boolean => CoreError.is(error) && error.code === "ERR_CANCELLED";

/** Returns `error.type` of an aborted call: the name of the reason, such as `TimeoutError`, or `cancelled`. */
export function abortType(reason: unknown): string {
  const type = errorTypeOf(reason);
  return type === OTHER || type === "Error" ? "cancelled" : type;
}

/** Returns the message of a thrown value, or an empty string. */
export function errorMessage(error: unknown): string {
  const message = typeof error === "string" ? error : read(error, "message");
  return typeof message === "string" ? message : "";
}

/** Maximum number of causes of an error that are read. */
const MOST_CAUSES = 4;

/**
 * Returns the causes of an error, each the cause of the one before. If an error has several causes, the first is
 * followed.
 */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = causeOf(error); at !== undefined && at !== null; at = causeOf(at)) {
    if (causes.length === MOST_CAUSES || at === error || causes.includes(at)) break;
    causes.push(at);
  }
  return causes;
}

function causeOf(error: unknown): unknown {
  // `lastError` is the last error of a failed retry of the AI SDK.
  const cause = read(error, "cause") ?? read(error, "lastError");
  if (cause !== undefined) return cause;
  const errors = read(error, "errors");
  return Array.isArray(errors) ? read(errors, "0") : undefined;
}

/** Returns the `error.type` of the innermost cause of an error. Returns `undefined` if no cause has a specific type. */
export function causeType(error: unknown): string | undefined {
  const types = causesOf(error).map(errorTypeOf);
  return types.findLast((type) => type !== OTHER && type !== "Error");
}

/**
 * Returns the message of an error and the type of its innermost cause. Messages of causes are omitted: a guard's error
 * does not contain the value that it failed on, but its cause may.
 */
export function messageWithCause(error: unknown): string {
  const message = errorMessage(error);
  const cause = causeType(error);
  if (cause === undefined || message.includes(cause)) return message;
  return message === "" ? cause : `${message} (${cause})`;
}

/** Returns the attributes of the `exception` event, redacted. */
export function exceptionAttributes(error: unknown, redactor: Redactor | undefined): Attributes {
  const redact = (text: string): string => redactor?.redact(text) ?? text;
  const attributes: Attributes = { [ATTR.exceptionType]: redact(errorTypeOf(error)) };
  const message = errorMessage(error);
  if (message !== "") attributes[ATTR.exceptionMessage] = redact(message);
  const stack = read(error, "stack");
  if (typeof stack === "string") attributes[ATTR.exceptionStacktrace] = redact(stack);
  return attributes;
}
