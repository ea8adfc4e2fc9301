import { type CheckOptions, type CommonOptions, optionsChecker } from "@suite/kit/options";
import { ContextError } from "./errors.js";

/** The common options of this package's plugins. */
export interface ContextOptions extends CommonOptions {
  /** The name on spans and in records. Default: the function's name, with its limit if it has one. */
  readonly name?: string;
}

/** Creates an option error, for checks that a plugin makes itself. */
export const invalid = (message: string): ContextError => new ContextError("ERR_CONTEXT_OPTION", message);

/** Checks the options of a plugin. @throws {ContextError} `ERR_CONTEXT_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
