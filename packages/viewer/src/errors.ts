import { CodedError } from "@suite/core";

/** The error codes of @suite/viewer. Closed: a new code is a new minor version. */
export type ViewerErrorCode =
  /** An option, or an argument of the command, that makes no sense. */
  | "ERR_VIEWER_OPTION"
  /** A port that another program has, or that may not be used. */
  | "ERR_VIEWER_PORT"
  /** A folder for data that cannot be written to, or read. */
  | "ERR_VIEWER_DATA"
  /** A request that is not OTLP, or exceeds a limit. */
  | "ERR_VIEWER_REQUEST";

/** The one error class of @suite/viewer. */
export class ViewerError extends CodedError<ViewerErrorCode> {
  static override readonly brand = Symbol.for("@suite/viewer/error");
  override readonly name = "ViewerError";
}
