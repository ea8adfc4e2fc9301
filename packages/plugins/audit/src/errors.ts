import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/audit. Closed: a new code is a new minor version. */
export type AuditErrorCode =
  /** A required record could not be made durable in time. Its operation did not run. */
  | "ERR_AUDIT_UNAVAILABLE"
  /** A batch could not be written or synced. `cause` is the file system's error. */
  | "ERR_AUDIT_WRITE_FAILED"
  /** The signer returned an invalid signature for its public key. The batch was not written. */
  | "ERR_AUDIT_INVALID_SIGNATURE"
  /** The signer threw. The batch was not written. `cause` is its error. */
  | "ERR_AUDIT_SIGNING_FAILED"
  /** More bytes wait for the disk than the log may keep in memory. */
  | "ERR_AUDIT_QUEUE_FULL"
  /** A record is not JSON data. */
  | "ERR_AUDIT_INVALID_RECORD"
  /** A record exceeds 65,535 bytes, even without its content. */
  | "ERR_AUDIT_RECORD_TOO_LARGE"
  /** `append` was called after `close` of a log. */
  | "ERR_AUDIT_CLOSED"
  /** A key cannot be read, or is not valid. */
  | "ERR_AUDIT_INVALID_KEY"
  /** An anchor is not a signed checkpoint. */
  | "ERR_AUDIT_INVALID_ANCHOR"
  /** An option has an invalid value. */
  | "ERR_AUDIT_INVALID_OPTION"
  /** The directory does not exist, or contains no log. */
  | "ERR_AUDIT_NO_LOG"
  /** No public key was passed, and the directory contains none. */
  | "ERR_AUDIT_NO_KEY"
  /** The log does not match the index of a query: a file was changed in place. */
  | "ERR_AUDIT_INDEX"
  /** No proof can be created: the record does not exist, no signed checkpoint covers it, or the log is damaged. */
  | "ERR_AUDIT_NO_PROOF"
  /** A proof cannot be read. */
  | "ERR_AUDIT_INVALID_PROOF"
  /** Encrypted content cannot be decrypted with its subject's key: it was changed, or belongs to another record. */
  | "ERR_AUDIT_DECRYPTION_FAILED"
  /** The runtime cannot verify signatures: its WebCrypto is missing, or does not support Ed25519. */
  | "ERR_AUDIT_UNSUPPORTED";

/**
 * The one error class of @suite/audit. Users' errors are never wrapped in it. An error of the file system is its
 * `cause`.
 */
export class AuditError extends codedError<AuditErrorCode>("AuditError", "@suite/audit/error") {}
