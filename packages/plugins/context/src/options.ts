import { type CheckOptions, type CommonOptions, optionsChecker } from "@suite/core/options";
import { ContextError } from "./errors.js";

/** The options that every plugin of this package has. */
export interface ContextOptions extends CommonOptions {
  /** The name on spans and in records. Default: the function's name, with its limit where it has one. */
  readonly name?: string;
}

/** An error about an option, for checks that a plugin makes itself. */
export const invalid = (message: string): ContextError => new ContextError("ERR_CONTEXT_OPTION", message);

/** Checks the options of a plugin. @throws {ContextError} `ERR_CONTEXT_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
