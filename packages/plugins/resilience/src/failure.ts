import { MiddlewareTermination } from "@suite/core";
import { isObject } from "@suite/kit";
import type { Check } from "@suite/kit/options";
import { classify, isOfModel, isRefusal } from "./failure/classify.js";
import { namesOf, safely } from "./failure/fields.js";
import { statusOf } from "./failure/status.js";

/** An error class, the error's `code` or `name`, or its HTTP status. */
export type ErrorMatch = (abstract new (...args: never[]) => Error) | string | number;

/** A filter of errors: a predicate, or a list of matches. */
export type ErrorFilter = ((error: unknown) => boolean) | ErrorMatch | readonly ErrorMatch[];

/**
 * True if another attempt may succeed: network errors, 408, 409, 429, 5xx, an overloaded provider, a timeout, an answer that
 * ended too early, and a refusal with a `retryAfter`. The README of the package has the whole table. False for anything else,
 * unknown errors included.
 */
export const isTransient = (error: unknown): boolean => classify(error) === "transient";

/**
 * True if another model may answer: the error is transient, the circuit is open, access was refused (401 to 404), or
 * a quota is used up. False for 400, 413 and 422, which another model would refuse too.
 */
export function isUnavailable(error: unknown): boolean {
  const verdict = classify(error);
  return verdict === "transient" || verdict === "unavailable";
}

/** True if an error counts against a model's health: it is transient, and not a decision of another plugin. */
export const isOutage: (error: unknown) => boolean = safely(
  (error) => isTransient(error) && !(isObject(error) && isRefusal(error) && !isOfModel(error)),
  false,
);

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

/** True if an error must never be retried: an intentional stop or an abort. */
export const isFinal = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || MiddlewareTermination.is(error);

/** Returns a short description of an error for reports: its class and HTTP status. Never its message. */
export const nameOf = safely(readName, "an error that cannot be read");

function readName(error: unknown): string {
  const { name } = error instanceof Error ? error : { name: typeof error };
  const known = name === "Error" ? ((error as Error).constructor?.name ?? name) : name;
  const status = statusOf(error);
  return status === undefined ? known.slice(0, 60) : `${known.slice(0, 60)} ${status}`;
}
