import { CodedError } from "@suite/core";

/** Everything that @suite/audit itself can complain about. Closed: a new code is a new minor version. */
export type AuditErrorCode =
  /** A required record could not be made durable in time: what it was about did not run. */
  | "ERR_AUDIT_UNAVAILABLE"
  /** A batch could not be written or synced. `cause` is the file system's error. */
  | "ERR_AUDIT_WRITE_FAILED"
  /** More bytes wait for the disk than the log may hold. */
  | "ERR_AUDIT_QUEUE_FULL"
  /** A record that is not JSON data. */
  | "ERR_AUDIT_INVALID_RECORD"
  /** A record over 64 KiB, also without its content. */
  | "ERR_AUDIT_RECORD_TOO_LARGE"
  /** `append` after `close`. */
  | "ERR_AUDIT_CLOSED"
  /** A key that cannot be read, or is not a key. */
  | "ERR_AUDIT_INVALID_KEY"
  /** An anchor that is not a signed checkpoint. */
  | "ERR_AUDIT_INVALID_ANCHOR"
  /** An option that makes no sense. */
  | "ERR_AUDIT_INVALID_OPTION"
  /** The directory does not exist, or holds no log. */
  | "ERR_AUDIT_NO_LOG"
  /** No public key was given, and the directory holds none. */
  | "ERR_AUDIT_NO_KEY";

/** The one error class of @suite/audit. Errors of users are never wrapped in it; what the file system said is its `cause`. */
export class AuditError extends CodedError<AuditErrorCode> {
  static override readonly brand = Symbol.for("@suite/audit/error");
  override readonly name = "AuditError";
}
