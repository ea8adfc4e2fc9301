import { MiddlewareTermination } from "@suite/core";
import { type Check, isObject } from "@suite/core/options";
import isNetworkError from "is-network-error";

/** An error class, the error's `code` or `name`, or its HTTP status. */
export type ErrorMatch = (abstract new (...given: never[]) => Error) | string | number;

/** The errors that are meant: a function that says so, or a list. */
export type ErrorFilter = ((error: unknown) => boolean) | ErrorMatch | readonly ErrorMatch[];

/** An error as the usual clients make them: each field may be there. */
type Fields = Readonly<Record<string, unknown>>;

const statuses: ReadonlySet<number> = new Set([408, 409, 429]);

/** Codes and types by which runtimes and providers name what may be over in a moment. */
const passing: ReadonlySet<unknown> = new Set([
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"],
  ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"],
  ...["UND_ERR_SOCKET", "ERR_STREAM_PREMATURE_CLOSE", "overloaded_error", "rate_limit_error", "api_error"],
  ...["timeout_error", "server_error", "rate_limit_exceeded", "APIConnectionError", "APIConnectionTimeoutError"],
  "TimeoutError",
]);

/** A quota that is used up comes with 429 as well, and is not filled by waiting. */
const lasting: ReadonlySet<unknown> = new Set(["insufficient_quota", "AbortError", "APIUserAbortError"]);

/** The depth to which `cause` and the like are followed. */
const depth = 5;

/** The error and those that it was made of, outermost first, of a chain that may be endless. */
function* chainOf(error: unknown): Generator<Fields> {
  let at = error;
  for (let each = 0; each < depth && isObject(at); each++) {
    yield at;
    at = at.cause ?? at.lastError;
  }
}

/** The names that an error goes by: its code, type and class, and those of the provider's own error in it. */
function* namesOf(error: Fields): Generator<unknown> {
  for (let at: unknown = error, each = 0; each < 3 && isObject(at); each++, at = at.error ?? at.body) {
    yield at.code;
    yield at.type;
  }
  yield error.name;
  yield isObject(error.constructor) || typeof error.constructor === "function" ? error.constructor.name : undefined;
}

/** Reads an error that may be anything that can be thrown, a proxy that throws itself included. */
function safely<A, B>(read: (error: unknown) => A, otherwise: B): (error: unknown) => A | B {
  return (error) => {
    try {
      return read(error);
    } catch {
      return otherwise;
    }
  };
}

/** The HTTP status of an error, as the usual clients have it. */
const statusOf = safely(readStatus, undefined);

function readStatus(error: unknown): number | undefined {
  for (const { status, statusCode, response } of chainOf(error)) {
    for (const value of [status, statusCode, isObject(response) ? response.status : undefined]) {
      if (typeof value === "number") return value;
    }
  }
  return undefined;
}

/**
 * Whether another try may end well: network errors, 408, 409, 429, 5xx, an overloaded provider, a timeout, and a refusal
 * that says itself when to come back (`retryAfter`). Not: 400, 401, 403, a filtered content, an abort, a quota that is used
 * up, another plugin's refusal, and what nobody knows.
 */
export const isTransient: (error: unknown) => boolean = safely(readTransient, false);

function readTransient(error: unknown): boolean {
  for (const each of chainOf(error)) {
    const names = [...namesOf(each)];
    if (names.some((name) => lasting.has(name))) return false;
    const status = statusOf(pick(each));
    if (status !== undefined && status >= 400) return statuses.has(status) || status >= 500;
    if (typeof each.isRetryable === "boolean") return each.isRetryable;
    if (names.some((name) => passing.has(name)) || isNetworkError(each)) return true;
    if (isRefusal(each)) return isTransientRefusal(each);
  }
  return false;
}

/** The fields of one error that tell its status, without those of its causes. */
const pick = ({ status, statusCode, response }: Fields) => ({ status, statusCode, response });

/** A suite's own error, also of another copy of its package. */
const isRefusal = ({ code }: Fields): boolean => typeof code === "string" && code.startsWith("ERR_");

function isTransientRefusal({ code, retryAfter }: { readonly code?: unknown; readonly retryAfter?: unknown }): boolean {
  if (code === "ERR_RESILIENCE_TIMEOUT") return true;
  return typeof retryAfter === "number" && code !== "ERR_RESILIENCE_CIRCUIT_OPEN";
}

/**
 * Whether the model, or its provider, is not to be had, so that another one may answer: what is transient, an open circuit,
 * and also 401 to 404 and a quota that is used up. Not: 400, 413 and 422, which another model would refuse as well.
 */
export const isUnavailable: (error: unknown) => boolean = safely(
  (error) => isTransient(error) || codeOf(error) === "ERR_RESILIENCE_CIRCUIT_OPEN" || unavailable.has(statusOf(error)),
  false,
);

const unavailable: ReadonlySet<number | undefined> = new Set([401, 402, 403, 404, 429]);

/** Whether an error counts against a model's health: what is transient, but not the refusal of another plugin. */
export const isOutage: (error: unknown) => boolean = safely(
  (error) => isTransient(error) && !(isObject(error) && isRefusal(error) && !isOfProvider(error)),
  false,
);

/** Whether a coded error tells of the provider all the same: what it answered, or that it did not. */
const isOfProvider = (error: Fields): boolean =>
  error.code === "ERR_RESILIENCE_TIMEOUT" || statusOf(error) !== undefined;

const codeOf = (error: unknown): unknown => (isObject(error) ? error.code : undefined);

/**
 * Compiles a filter of errors.
 *
 * @param filter undefined: the default.
 */
export function matcherOf(
  filter: ErrorFilter | undefined,
  byDefault: (error: unknown) => boolean,
): (error: unknown) => boolean {
  if (filter === undefined) return byDefault;
  if (typeof filter === "function" && !isErrorClass(filter)) return filter as (error: unknown) => boolean;
  const matches = (Array.isArray(filter) ? filter : [filter]) as readonly ErrorMatch[];
  return safely((error) => {
    const names = isObject(error) ? [...namesOf(error)] : [];
    return matches.some((match) => {
      if (typeof match === "function") return error instanceof match;
      return typeof match === "number" ? statusOf(error) === match : names.includes(match);
    });
  }, false);
}

const isErrorClass = (value: unknown): boolean =>
  typeof value === "function" && (value === Error || value.prototype instanceof Error);

const isMatch = (value: unknown): boolean =>
  (typeof value === "string" && value !== "") || Number.isSafeInteger(value) || isErrorClass(value);

/** A filter of errors, as an option. */
export const errorFilter: Check = (value) => {
  const fits = Array.isArray(value)
    ? value.length > 0 && value.every(isMatch)
    : typeof value === "function" || isMatch(value);
  return fits ? undefined : "a function, or a list of error classes, codes and HTTP statuses";
};

/** Whether nobody may ever try this again: it was stopped on purpose, or aborted. */
export const isFinal = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || MiddlewareTermination.is(error);

/** The short words for an error that may be told: its class, and its HTTP status. Never its message. */
export const nameOf = safely(readName, "an error that cannot be read");

function readName(error: unknown): string {
  const { name } = error instanceof Error ? error : { name: typeof error };
  const known = name === "Error" ? ((error as Error).constructor?.name ?? name) : name;
  const status = statusOf(error);
  return status === undefined ? known.slice(0, 60) : `${known.slice(0, 60)} ${status}`;
}

/** Milliseconds after which an error asks to be tried again: of a limit, or of the headers of a provider's response. */
export const retryAfterOf = safely(readRetryAfter, undefined);

function readRetryAfter(error: unknown): number | undefined {
  for (const each of chainOf(error)) {
    if (isRefusal(each) && isTime(each.retryAfter)) return each.retryAfter;
    const { headers, responseHeaders, response } = each;
    for (const some of [headers, responseHeaders, isObject(response) ? response.headers : undefined]) {
      const milliseconds = Number(headerOf(some, "retry-after-ms") ?? Number.NaN);
      if (isTime(milliseconds)) return milliseconds;
      const asked = parseRetryAfter(headerOf(some, "retry-after"));
      if (asked !== undefined) return asked;
    }
  }
  return undefined;
}

const isTime = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0;

function headerOf(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  const value = typeof headers.get === "function" ? headers.get(name) : headers[name];
  return typeof value === "string" && value.trim() !== "" && value.length < 64 ? value : undefined;
}

/** `retry-after` of RFC 9110: seconds, or a date. One that is over: 0. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (!Number.isNaN(seconds)) return isTime(seconds) ? seconds * 1000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
