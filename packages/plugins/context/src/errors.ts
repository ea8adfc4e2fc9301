import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/context. Closed: a new code is a new minor version. */
export type ContextErrorCode =
  /** An option has an invalid value or an unknown name. */
  | "ERR_CONTEXT_OPTION"
  /** The minimum that must be sent to the model exceeds the limit. */
  | "ERR_CONTEXT_TOO_LARGE"
  /** A counter did not return a number of at least 0. */
  | "ERR_CONTEXT_COUNT";

/** The error class of @suite/context. Errors of users and of models are never wrapped in it. */
export class ContextError extends codedError<ContextErrorCode>("ContextError", "@suite/context/error") {}
