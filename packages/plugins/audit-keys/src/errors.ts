import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/audit-keys. Closed: a new code is a new minor version. */
export type AuditKeysErrorCode =
  /** The service or token that keeps the key refused to sign or did not sign in time. `cause` is its error. */
  | "ERR_AUDIT_KEYS_SIGNING_FAILED"
  /** The key does not exist, differs from `publicKey`, or is of a type that a log cannot use. */
  | "ERR_AUDIT_KEYS_INVALID_KEY"
  /** An option has an invalid value, or the optional package of a service is missing. */
  | "ERR_AUDIT_KEYS_INVALID_OPTION";

/** The one error class of @suite/audit-keys. */
export class AuditKeysError extends codedError<AuditKeysErrorCode>("AuditKeysError", "@suite/audit-keys/error") {}
