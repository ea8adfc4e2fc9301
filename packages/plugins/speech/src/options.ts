import { type CheckOptions, optionsChecker } from "@suite/kit/options";
import { SpeechError } from "./errors.js";

/** Creates the error for an invalid option, for the checks of a plugin. */
export const invalid = (message: string): SpeechError => new SpeechError("ERR_SPEECH_OPTION", message);

/** Checks options. @throws {SpeechError} `ERR_SPEECH_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
