import { type CheckOptions, optionsChecker } from "@suite/kit/options";
import { ToolsError } from "./errors.js";

/** Creates an option error, for checks that a plugin makes itself. */
export const invalid = (message: string): ToolsError => new ToolsError("ERR_TOOLS_OPTION", message);

/** Checks the options of a plugin. @throws {ToolsError} `ERR_TOOLS_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
