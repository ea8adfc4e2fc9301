import { CodedError } from "@suite/core";

/** The error codes of @suite/audit. Closed: a new code is a new minor version. */
export type AuditErrorCode =
  /** A required record could not be made durable in time: what it was about did not run. */
  | "ERR_AUDIT_UNAVAILABLE"
  /** A batch could not be written or synced. `cause` is the file system's error. */
  | "ERR_AUDIT_WRITE_FAILED"
  /** The signer gave what is not a signature by its public key: the batch was not written. */
  | "ERR_AUDIT_INVALID_SIGNATURE"
  /** A service or a token that keeps the key did not sign in time, or refused: the batch was not written. `cause` is what it said. */
  | "ERR_AUDIT_SIGNING_FAILED"
  /** More bytes wait for the disk than the log may hold. */
  | "ERR_AUDIT_QUEUE_FULL"
  /** A record that is not JSON data. */
  | "ERR_AUDIT_INVALID_RECORD"
  /** A record over 65,535 bytes, also without its content. */
  | "ERR_AUDIT_RECORD_TOO_LARGE"
  /** `append` after `close`, of a log; `caughtUp`, of a follower. */
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
  | "ERR_AUDIT_NO_KEY"
  /** The log no longer holds what the index of a query says: a file was changed in place. */
  | "ERR_AUDIT_INDEX"
  /** No proof can be made: there is no such record, no signed checkpoint covers it, or the log is damaged. */
  | "ERR_AUDIT_NO_PROOF"
  /** Fewer witnesses than were asked for have cosigned: one cannot be reached, or refuses. `cause` is what it said. */
  | "ERR_AUDIT_WITNESS_FAILED"
  /** A witness has seen another history of the log, or more of it than is here: something was cut off, or put in its place. */
  | "ERR_AUDIT_WITNESS_CONFLICT"
  /** A proof that cannot be read. */
  | "ERR_AUDIT_INVALID_PROOF"
  /** Encrypted content that its subject's key does not open: it was changed, or is of another record. */
  | "ERR_AUDIT_DECRYPTION_FAILED"
  /** A follower's target did not take a batch: it is tried again. `cause` is what the target said. */
  | "ERR_AUDIT_DELIVERY_FAILED"
  /** A follower's target refuses a batch, which waiting does not mend. Nothing is left out: it is tried again at long intervals. */
  | "ERR_AUDIT_DELIVERY_REFUSED"
  /** A follower's target took a batch, and said that it dropped some of it. */
  | "ERR_AUDIT_DELIVERY_INCOMPLETE"
  /** A followed file is not what its checkpoints say, or not what was delivered of it: it is not followed any further. */
  | "ERR_AUDIT_FILE_DAMAGED"
  /** A followed file was deleted before it was delivered to its end. */
  | "ERR_AUDIT_FILE_GONE"
  /** A follower's cursor cannot be read, or not be written. */
  | "ERR_AUDIT_CURSOR"
  /** The runtime cannot verify signatures: its WebCrypto is missing, or knows no Ed25519. */
  | "ERR_AUDIT_UNSUPPORTED";

/** The one error class of @suite/audit. Errors of users are never wrapped in it; what the file system said is its `cause`. */
export class AuditError extends CodedError<AuditErrorCode> {
  static override readonly brand = Symbol.for("@suite/audit/error");
  override readonly name = "AuditError";
}
