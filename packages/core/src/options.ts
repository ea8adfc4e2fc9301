import { memberNames, plainMembers } from "./members.js";

/** Checks an option's value. Returns `undefined` if it is valid, otherwise a description of valid values. */
export type Check = (value: unknown) => string | undefined;

/** Options that all plugins have. */
export interface CommonOptions {
  /** The name on spans and in records. Default: the function's name. */
  readonly name?: string;
  /** `monitor` only reports what would have been done. Default: `enforce`. */
  readonly mode?: "enforce" | "monitor";
}

/** The longest time of a JavaScript timer, in milliseconds: 24 days. */
const maxTimer = 2 ** 31 - 1;

/** True if a value is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Accepts a whole number of at least 1. */
export const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : "an integer of at least 1";

/** Accepts a finite number of at least 0. */
export const amount: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? undefined : "a number of at least 0";

/** Accepts a time in milliseconds that a timer can wait. */
export const time: Check = (value) =>
  typeof value === "number" && value > 0 && value <= maxTimer
    ? undefined
    : "a number of milliseconds greater than 0, at most 24 days";

/** Accepts a string that is not empty. */
export const name: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "a string");

/** Accepts a function. */
export const callable: Check = (value) => (typeof value === "function" ? undefined : "a function");

/** Accepts a boolean. */
export const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

/** Accepts any value, for an option that is checked later. */
export const any: Check = () => undefined;

/** Accepts one of some words. */
export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string) ? undefined : alternatives(words.map((word) => `"${word}"`));

const alternatives = (all: readonly string[]): string =>
  all.length < 2 ? all.join() : `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;

/** Accepts a value that passes one of several checks, such as a word or a function. */
export const either =
  (...checks: readonly Check[]): Check =>
  (value) => {
    const expected: string[] = [];
    for (const check of checks) {
      const what = check(value);
      if (what === undefined) return undefined;
      expected.push(what);
    }
    return expected.join(", or ");
  };

/** Accepts a list that is not empty and whose entries pass a check. */
export const listOf =
  (check: Check): Check =>
  (value) => {
    const fits = Array.isArray(value) && value.length > 0 && value.every((each) => check(each) === undefined);
    return fits ? undefined : `a non-empty list in which each value is ${check(undefined)}`;
  };

/** Checks of the options that all plugins have. */
export const common: Readonly<Record<keyof CommonOptions, Check>> = { name, mode: oneOf("enforce", "monitor") };

/**
 * Checks the options of a function when it is called, so that a misspelt one is reported at once and not ignored.
 *
 * @param of the name of the function, for messages.
 * @param required the required options.
 * @returns the options as a plain object. A spread of it also contains members from the prototype of a class.
 */
export type CheckOptions = <O>(
  of: string,
  options: O,
  checks: Readonly<Record<string, Check>>,
  required?: readonly string[],
) => O;

/**
 * Creates a function that checks the options of a package's plugins. It throws for an option that does not exist or is
 * invalid. The message contains the option's name and the valid values, never the passed value.
 *
 * @param invalid creates the error of the package from a message.
 * @example
 * ```ts
 * const checkOptions = optionsChecker((message) => new LimitsError("ERR_LIMITS_OPTION", message));
 * checkOptions("modelCallLimit", options, { ...common, limit: count }, ["limit"]);
 * ```
 */
export function optionsChecker(invalid: (message: string) => Error): CheckOptions {
  return (of, options, checks, required = []) => {
    if (!isObject(options)) throw invalid(`${of}() takes an object of options.`);
    for (const option of new Set([...memberNames(options), ...required])) {
      const value = options[option];
      if (value === undefined && !required.includes(option)) continue;
      const check = Object.hasOwn(checks, option) ? checks[option] : undefined;
      if (check === undefined) {
        const names = Object.keys(checks).join(", ");
        throw invalid(`${of}() has the options ${names}. Unknown option: ${JSON.stringify(option.slice(0, 64))}.`);
      }
      const expected = check(value);
      if (expected !== undefined) throw invalid(`The option ${option} of ${of}() must be ${expected}.`);
    }
    return plainMembers(options);
  };
}
