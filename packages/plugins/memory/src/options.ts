import { type Check, type CheckOptions, isObject, optionsChecker } from "@suite/core/options";
import { MemoryError } from "./errors.js";

/** An error about an option, for checks that a function makes itself. */
export const invalid = (message: string): MemoryError => new MemoryError("ERR_MEMORY_OPTION", message);

/** Checks options when they are given. */
export const checkOptions: CheckOptions = optionsChecker(invalid);

/** An object with these functions. */
export const having =
  (what: string, ...functions: readonly string[]): Check =>
  (value) =>
    isObject(value) && functions.every((each) => typeof value[each] === "function") ? undefined : what;
