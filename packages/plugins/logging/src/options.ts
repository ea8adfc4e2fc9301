import { CodedError } from "@suite/core";

/** Everything that @suite/logging itself can complain about. Closed: a new code is a new minor version. */
export type LoggingErrorCode =
  /** An option that makes no sense, or has no such name. */
  "ERR_LOGGING_OPTION";

/** The one error class of @suite/logging. */
export class LoggingError extends CodedError<LoggingErrorCode> {
  static override readonly brand = Symbol.for("@suite/logging/error");
  override readonly name = "LoggingError";
}

/**
 * Checks the options of a plugin when it is made.
 *
 * @param checks each option's, with what it is in words.
 * @throws {LoggingError} `ERR_LOGGING_OPTION`
 */
export function checkOptions(
  of: string,
  options: object,
  checks: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>>,
): void {
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, option) ? checks[option] : undefined;
    if (check === undefined) {
      throw invalid(`${of}() has no such option; it has ${Object.keys(checks).join(", ")}.`);
    }
    const [fits, meant] = check;
    if (!fits(value)) throw invalid(`The option ${option} of ${of}() is ${meant}.`);
  }
}

const invalid = (message: string) => new LoggingError("ERR_LOGGING_OPTION", message);
