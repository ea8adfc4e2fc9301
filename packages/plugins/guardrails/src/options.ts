import { type CheckOptions, type CommonOptions, optionsChecker } from "@suite/kit/options";
import { GuardrailsError } from "./errors.js";

/** The common options of all guards. */
export interface GuardOptions extends CommonOptions {}

/** Creates an option error, for checks that a guard makes itself. */
export const invalid = (message: string): GuardrailsError => new GuardrailsError("ERR_GUARDRAILS_OPTION", message);

/** Checks the options of a guard. @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
