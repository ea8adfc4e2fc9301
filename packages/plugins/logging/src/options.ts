import { codedError } from "@suite/kit/errors";
import { type CheckOptions, optionsChecker } from "@suite/kit/options";

/** The error codes of @suite/logging. Closed: a new code is a new minor version. */
export type LoggingErrorCode =
  /** An option has an invalid value or an unknown name. */
  "ERR_LOGGING_OPTION";

/** The error class of @suite/logging. */
export class LoggingError extends codedError<LoggingErrorCode>("LoggingError", "@suite/logging/error") {}

/** Checks the options of a plugin. @throws {LoggingError} `ERR_LOGGING_OPTION` */
export const checkOptions: CheckOptions = optionsChecker((message) => new LoggingError("ERR_LOGGING_OPTION", message));
