import { CodedError } from "@suite/core";

/** The error codes of @suite/tools. Closed: a new code is a new minor version. */
export type ToolsErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_TOOLS_OPTION"
  /** A search for files that cannot be made: its root is not there, or cannot be read. */
  | "ERR_TOOLS_ROOT"
  /** A policy of shells that was asked for and is not there. */
  | "ERR_TOOLS_POLICY"
  /** A shell that cannot be started, or has no pipes, or whose startup command failed. */
  | "ERR_TOOLS_SHELL";

/** The one error class of @suite/tools. Errors of users, of models and of servers are never wrapped in it. */
export class ToolsError extends CodedError<ToolsErrorCode> {
  static override readonly brand = Symbol.for("@suite/tools/error");
  override readonly name = "ToolsError";
}
