import { type CheckOptions, optionsChecker } from "@suite/core/options";
import { SpeechError } from "./errors.js";

/** An error about an option, for checks that a plugin makes itself. */
export const invalid = (message: string): SpeechError => new SpeechError("ERR_SPEECH_OPTION", message);

/** Checks options. @throws {SpeechError} `ERR_SPEECH_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
