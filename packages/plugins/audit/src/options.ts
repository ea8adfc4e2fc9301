import { isObject, isRecord } from "@suite/kit";
import { type Check, type CheckOptions, optionsChecker } from "@suite/kit/options";
import { AuditError } from "./errors.js";

/** The checks of a function's options, one for each option of its type. */
export type OptionChecks<Options> = { readonly [option in keyof Required<Options>]: Check };

/** Functions that check what a caller passes, and throw an error of their package. */
export interface Checks {
  /** Checks an options object before the function has any effect: a misspelled option would be ignored. */
  readonly checkOptions: CheckOptions;
  /**
   * Checks one argument. The message contains its name and never its value.
   *
   * @param of the function that takes it
   */
  checkArgument(of: string, name: string, value: unknown, check: Check): void;
}

/**
 * Creates the checks of a package.
 *
 * @param invalid creates the package's error from a message
 */
export function optionChecks(invalid: (message: string) => Error): Checks {
  const checkMembers = optionsChecker(invalid);
  return {
    checkOptions: (of, options, checks, required) => {
      // A list has members with names of options: `values`, `keys`.
      if (Array.isArray(options)) throw invalid(`${of}() takes an object of options, not a list.`);
      return checkMembers(of, options, checks, required);
    },
    checkArgument(of, name, value, check) {
      const expected = check(value);
      if (expected !== undefined) throw invalid(`The argument ${name} of ${of}() must be ${expected}.`);
    },
  };
}

const checks: Checks = optionChecks((message) => new AuditError("ERR_AUDIT_INVALID_OPTION", message));
/** @throws AuditError `ERR_AUDIT_INVALID_OPTION` */
export const checkOptions: CheckOptions = checks.checkOptions;
/** @throws AuditError `ERR_AUDIT_INVALID_OPTION` */
export const checkArgument: Checks["checkArgument"] = checks.checkArgument;

/** Accepts an object, also an instance of a class. */
export const object: Check = (value) => (isRecord(value) ? undefined : "an object");

/** Accepts a string, also an empty one. */
export const string: Check = (value) => (typeof value === "string" ? undefined : "a string");

/** Accepts a number above 0, including infinity. */
export const positive: Check = (value) => (typeof value === "number" && value > 0 ? undefined : "a number above 0");

/** Accepts a list, also an empty one, if each value passes the check. */
export const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((each) => check(each) === undefined)
      ? undefined
      : `a list in which each value is ${check(undefined)}`;

/** Accepts an object with these methods. */
export const withMethods =
  (...methods: readonly string[]): Check =>
  (value) =>
    isObject(value) && methods.every((method) => typeof value[method] === "function")
      ? undefined
      : `an object with ${methods.join(", ")}`;

/** Accepts an object if each value is a string. */
export const strings: Check = (value) =>
  object(value) === undefined && Object.values(value as object).every((each) => typeof each === "string")
    ? undefined
    : "an object of strings";
