import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/viewer. Closed: a new code is a new minor version. */
export type ViewerErrorCode =
  /** An option or argument with an invalid value or an unknown name. */
  | "ERR_VIEWER_OPTION"
  /** A port that is in use or not permitted. */
  | "ERR_VIEWER_PORT"
  /** A data folder that is not readable or writable. */
  | "ERR_VIEWER_DATA"
  /** A request that is not OTLP, or exceeds a limit. */
  | "ERR_VIEWER_REQUEST";

/** The error class of @suite/viewer. */
export class ViewerError extends codedError<ViewerErrorCode>("ViewerError", "@suite/viewer/error") {}
