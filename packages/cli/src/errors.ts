import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/cli. Closed: a new code is a new minor version. */
export type CliErrorCode =
  /** An option or argument with an invalid value or an unknown name. */
  | "ERR_CLI_OPTION"
  /** A folder that is not a project: its package.json is missing or is not JSON. */
  | "ERR_CLI_PROJECT"
  /** The place for the lines cannot be determined: there are several files, none, or no clear place. */
  | "ERR_CLI_TARGET"
  /** A file that cannot be read or written. */
  | "ERR_CLI_FILE"
  /** A set-up module that cannot be imported, or lacks an export that the command needs. */
  | "ERR_CLI_SETUP";

/** The error class of @suite/cli. */
export class CliError extends codedError<CliErrorCode>("CliError", "@suite/cli/error") {}
