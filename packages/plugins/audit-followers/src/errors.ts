import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/audit-followers. Closed: a new code is a new minor version. */
export type AuditFollowersErrorCode =
  /** A target did not accept a batch. It is retried. `cause` is the target's error. */
  | "ERR_AUDIT_FOLLOWERS_DELIVERY_FAILED"
  /**
   * A target refuses a batch, and waiting alone does not help. Nothing is skipped: the batch is retried at long
   * intervals.
   */
  | "ERR_AUDIT_FOLLOWERS_DELIVERY_REFUSED"
  /** A target accepted a batch, and reported that it dropped some of it. */
  | "ERR_AUDIT_FOLLOWERS_DELIVERY_INCOMPLETE"
  /** A file does not match its checkpoints or its delivered part. It is not followed any further. */
  | "ERR_AUDIT_FOLLOWERS_FILE_DAMAGED"
  /** A file was deleted before all of it was delivered. */
  | "ERR_AUDIT_FOLLOWERS_FILE_MISSING"
  /** The cursor cannot be read or written. */
  | "ERR_AUDIT_FOLLOWERS_CURSOR"
  /** Fewer witnesses than required have cosigned: one cannot be reached, or refuses. `cause` is its error. */
  | "ERR_AUDIT_FOLLOWERS_WITNESS_FAILED"
  /** A witness has seen another history of the log, or a longer one: records were cut off or replaced. */
  | "ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT"
  /** A function was called after `close` of its follower or schedule. */
  | "ERR_AUDIT_FOLLOWERS_CLOSED"
  /** The directory does not exist. */
  | "ERR_AUDIT_FOLLOWERS_NO_LOG"
  /** An option or an argument has an invalid value. */
  | "ERR_AUDIT_FOLLOWERS_INVALID_OPTION";

/** The one error class of @suite/audit-followers. Errors of users and of @suite/audit are never wrapped in it. */
export class AuditFollowersError extends codedError<AuditFollowersErrorCode>(
  "AuditFollowersError",
  "@suite/audit-followers/error",
) {}
