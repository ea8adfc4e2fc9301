import { type CheckOptions, type CommonOptions, optionsChecker } from "@suite/core/options";
import { GuardrailsError } from "./errors.js";

/** The options that every guard has. */
export interface GuardOptions extends CommonOptions {}

/** An error about an option, for checks that a guard makes itself. */
export const invalid = (message: string): GuardrailsError => new GuardrailsError("ERR_GUARDRAILS_OPTION", message);

/** Checks the options of a guard. @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
