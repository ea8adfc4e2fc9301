import { ResilienceError } from "./errors.js";

/** The options that every plugin here has. */
export interface ResilienceOptions {
  /** The name on spans and in records. Default: the function's name. */
  readonly name?: string;
  /** `monitor` tells what would have been done, and does nothing. Default: `enforce`. */
  readonly mode?: "enforce" | "monitor";
}

/** A check of one option: undefined where the value has a meaning, else what it has to be. */
export type Check = (value: unknown) => string | undefined;

/** The longest time that a timer of JavaScript takes, in milliseconds: 24 days. */
const maxTimer = 2 ** 31 - 1;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A whole number from 1 up. */
export const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : "a whole number from 1 up";

/** A finite number from 0 up. */
export const amount: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? undefined : "a number from 0 up";

/** A time in milliseconds that a timer can wait. */
export const time: Check = (value) =>
  typeof value === "number" && value > 0 && value <= maxTimer
    ? undefined
    : "a number of milliseconds above 0, and 24 days at most";

/** A time in milliseconds, which may be none. */
export const timeOrNone: Check = (value) =>
  value === 0 ? undefined : time(value) && "a number of milliseconds from 0 up, and 24 days at most";

/** A text that is not empty. */
export const name: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "a text");

/** A function. */
export const callable: Check = (value) => (typeof value === "function" ? undefined : "a function");

/** A boolean. */
export const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");

/** One of these words. */
export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string) ? undefined : words.map((word) => `"${word}"`).join(" or ");

/** One of several: a word or a function, say. */
export const either =
  (...checks: readonly Check[]): Check =>
  (value) => {
    const meant: string[] = [];
    for (const check of checks) {
      const what = check(value);
      if (what === undefined) return undefined;
      meant.push(what);
    }
    return meant.join(", or ");
  };

/** A list of these that is not empty. */
export const listOf =
  (check: Check): Check =>
  (value) => {
    const fits = Array.isArray(value) && value.length > 0 && value.every((each) => check(each) === undefined);
    return fits ? undefined : `a list, not empty, of which each is ${check(undefined)}`;
  };

/** The checks of the options that every plugin here has. */
export const common: Readonly<Record<keyof ResilienceOptions, Check>> = { name, mode: oneOf("enforce", "monitor") };

/**
 * Checks the options of a plugin when it is made, so that none is found to mean nothing in the middle of a run.
 *
 * @param required those that may not be left out.
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION` for one that does not exist or has no meaning.
 */
export function checkOptions(
  of: string,
  options: unknown,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): void {
  if (!isObject(options)) throw invalid(`${of}() takes an object of options.`);
  for (const option of new Set([...Object.keys(options), ...required])) {
    const value = options[option];
    if (value === undefined && !required.includes(option)) continue;
    const check = Object.hasOwn(checks, option) ? checks[option] : undefined;
    if (check === undefined) throw invalid(`${of}() has no such option; it has ${Object.keys(checks).join(", ")}.`);
    const meant = check(value);
    if (meant !== undefined) throw invalid(`The option ${option} of ${of}() is ${meant}.`);
  }
}

/** An error about an option. */
export const invalid = (message: string): ResilienceError => new ResilienceError("ERR_RESILIENCE_OPTION", message);
