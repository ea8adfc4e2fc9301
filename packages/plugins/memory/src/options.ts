import { isObject } from "@suite/kit";
import { type Check, type CheckOptions, optionsChecker } from "@suite/kit/options";
import { MemoryError } from "./errors.js";

/** Creates an option error, for checks that a function makes itself. */
export const invalid = (message: string): MemoryError => new MemoryError("ERR_MEMORY_OPTION", message);

/** Checks options. */
export const checkOptions: CheckOptions = optionsChecker(invalid);

/** Checks for an object with these methods. */
export const having =
  (what: string, ...functions: readonly string[]): Check =>
  (value) =>
    isObject(value) && functions.every((each) => typeof value[each] === "function") ? undefined : what;
