import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/approval. Closed: a new code is a new minor version. */
export type ApprovalErrorCode =
  /** An option has an invalid value or an unknown name. */
  | "ERR_APPROVAL_OPTION"
  /** A tool call cannot be shown to a person or decided on. */
  | "ERR_APPROVAL_REQUEST"
  /** The request of a decision does not exist, or has expired. */
  | "ERR_APPROVAL_UNKNOWN"
  /** The request already has a decision. */
  | "ERR_APPROVAL_DECIDED"
  /** The request does not allow this decision, or the schema rejects the edit. */
  | "ERR_APPROVAL_NOT_ALLOWED"
  /** The approved arguments differ from those about to run. */
  | "ERR_APPROVAL_ARGUMENTS"
  /** A request or a decision has expired. */
  | "ERR_APPROVAL_EXPIRED"
  /** A decision was used before. */
  | "ERR_APPROVAL_USED"
  /** A request or a decision has no valid signature. */
  | "ERR_APPROVAL_SIGNATURE"
  /** The receiver of a webhook did not accept a request. */
  | "ERR_APPROVAL_DELIVERY"
  /** The terminal is missing. */
  | "ERR_APPROVAL_TERMINAL";

/** The error class of @suite/approval. Errors of users and of a store are never wrapped in it. */
export class ApprovalError extends codedError<ApprovalErrorCode>("ApprovalError", "@suite/approval/error") {}
