import { CodedError } from "@suite/core";

/** The error codes of @suite/approval. Closed: a new code is a new minor version. */
export type ApprovalErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_APPROVAL_OPTION"
  /** A tool call that nobody could be shown, or decide on. */
  | "ERR_APPROVAL_REQUEST"
  /** A decision on a request that there is not, or no more. */
  | "ERR_APPROVAL_UNKNOWN"
  /** A second decision on a request. */
  | "ERR_APPROVAL_DECIDED"
  /** A decision that the request does not take, or an edit that the schema refuses. */
  | "ERR_APPROVAL_NOT_ALLOWED"
  /** An approval of other arguments than those that are about to run. */
  | "ERR_APPROVAL_ARGUMENTS"
  /** A request or a decision whose time is over. */
  | "ERR_APPROVAL_EXPIRED"
  /** A decision that was used before. */
  | "ERR_APPROVAL_USED"
  /** A request or a decision without a good signature. */
  | "ERR_APPROVAL_SIGNATURE"
  /** A request that a webhook's receiver has not taken. */
  | "ERR_APPROVAL_DELIVERY"
  /** No terminal at which somebody could be asked. */
  | "ERR_APPROVAL_TERMINAL";

/** The one error class of @suite/approval. Errors of users, and of a store, are never wrapped in it. */
export class ApprovalError extends CodedError<ApprovalErrorCode> {
  static override readonly brand = Symbol.for("@suite/approval/error");
  override readonly name = "ApprovalError";
}
