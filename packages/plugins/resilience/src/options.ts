import { type Check, type CheckOptions, type CommonOptions, optionsChecker, time } from "@suite/kit/options";
import { ResilienceError } from "./errors.js";

/** The options that every plugin here has. */
export interface ResilienceOptions extends CommonOptions {}

/** A time in milliseconds, which may be none. */
export const timeOrNone: Check = (value) =>
  value === 0 ? undefined : time(value) && "a number of milliseconds of at least 0, at most 24 days";

/** An error about an option, for checks that a plugin makes itself. */
export const invalid = (message: string): ResilienceError => new ResilienceError("ERR_RESILIENCE_OPTION", message);

/** Checks the options of a plugin. @throws {ResilienceError} `ERR_RESILIENCE_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
