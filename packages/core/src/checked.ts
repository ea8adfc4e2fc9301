import { CoreError } from "./errors.js";
import { type CheckOptions, optionsChecker } from "./options.js";

/** Creates the error for an invalid option of a function of this package. */
export const invalidOption = (message: string): CoreError => new CoreError("ERR_INVALID_OPTION", message);

/**
 * Checks the options of a function of this package.
 *
 * @throws CoreError `ERR_INVALID_OPTION`
 */
export const checkOptions: CheckOptions = optionsChecker(invalidOption);
