import { CodedError } from "@suite/core";

/** The error codes of @suite/context. Closed: a new code is a new minor version. */
export type ContextErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_CONTEXT_OPTION"
  /** A request of which the part that has to go to the model does not fit within its limit. */
  | "ERR_CONTEXT_TOO_LARGE"
  /** A counter that gave no number from 0 up. */
  | "ERR_CONTEXT_COUNT";

/** The one error class of @suite/context. Errors of users, and of models that are asked, are never wrapped in it. */
export class ContextError extends CodedError<ContextErrorCode> {
  static override readonly brand = Symbol.for("@suite/context/error");
  override readonly name = "ContextError";
}
