import type { StateStore } from "@suite/core";
import { LimitsError } from "./errors.js";

/** The options that every limit has. */
export interface LimitOptions {
  /** The name on spans and in records. Default: the function's name with its limits, so that two limits of one list are two. */
  readonly name?: string;
  /** `monitor` tells what would have been limited, and limits nothing. Default: `enforce`. */
  readonly mode?: "enforce" | "monitor";
}

/** The options of limits that count for more than one run. */
export interface StoreOptions {
  /** The store of the counts, common to all processes that share it. Default: this process's memory. */
  readonly store?: StateStore;
  /**
   * The fail mode, where the store fails. `closed`, the default: the call fails with the store's error. `open`: it passes, and
   * a `decision` tells it.
   */
  readonly onStoreError?: "closed" | "open";
}

type Check = (value: unknown) => string | undefined;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** A whole number from 1 up. */
export const count: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : "a whole number from 1 up";

/** A finite number from 0 up. */
export const amount: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? undefined : "a number from 0 up";

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

const store: Check = (value) =>
  isObject(value) && typeof value.add === "function" ? undefined : "a StateStore, as memoryStateStore() makes one";

/** The checks of the options that every limit has. */
export const common: Readonly<Record<keyof LimitOptions, Check>> = { name, mode: oneOf("enforce", "monitor") };

/** The checks of a limit's options that counts in a store. */
export const stored: Readonly<Record<keyof StoreOptions, Check>> = { store, onStoreError: oneOf("closed", "open") };

/**
 * Checks the options of a limit when it is made, so that none is found to mean nothing in the middle of a run.
 *
 * @param required those that may not be left out.
 * @throws {LimitsError} `ERR_LIMITS_OPTION` for one that does not exist or has no meaning.
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
export const invalid = (message: string): LimitsError => new LimitsError("ERR_LIMITS_OPTION", message);
