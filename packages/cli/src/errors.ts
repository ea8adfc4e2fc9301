import { CodedError } from "@suite/core";

/** The error codes of @suite/cli. Closed: a new code is a new minor version. */
export type CliErrorCode =
  /** An option, or an argument of the command, that makes no sense. */
  | "ERR_CLI_OPTION"
  /** A folder that is no project: it has no package.json, or one that is not JSON. */
  | "ERR_CLI_PROJECT"
  /** A place for the lines that cannot be told: several files, none, or one that is not plain. */
  | "ERR_CLI_PLACE"
  /** A file that cannot be read or written. */
  | "ERR_CLI_FILE"
  /** A set-up module that cannot be imported, or does not export what the command needs. */
  | "ERR_CLI_SETUP";

/** The one error class of @suite/cli. */
export class CliError extends CodedError<CliErrorCode> {
  static override readonly brand = Symbol.for("@suite/cli/error");
  override readonly name = "CliError";
}
