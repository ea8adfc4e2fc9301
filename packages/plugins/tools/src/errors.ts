import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/tools. Closed: a new code is a new minor version. */
export type ToolsErrorCode =
  /** An option has an invalid value or an unknown name. */
  | "ERR_TOOLS_OPTION"
  /** The root of a file search does not exist or cannot be read. */
  | "ERR_TOOLS_ROOT"
  /** The requested shell policy is not available. */
  | "ERR_TOOLS_POLICY"
  /** A shell cannot be started, has no pipes, or its startup command failed. */
  | "ERR_TOOLS_SHELL";

/** The error class of @suite/tools. Errors of users, models and servers are never wrapped in it. */
export class ToolsError extends codedError<ToolsErrorCode>("ToolsError", "@suite/tools/error") {}
