import { CodedError } from "@suite/core";

/** The codes of all errors of @suite/store-postgres itself. Closed: a new code is a new minor version. */
export type PostgresStoreErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_STORE_POSTGRES_OPTION"
  /** No connection of the pool in time: nothing was done. Or no result: whether the operation was done is not known. */
  | "ERR_STORE_POSTGRES_TIMEOUT"
  /** A value that this store has not written: another program writes to its table. */
  | "ERR_STORE_POSTGRES_VALUE";

/** The one error class of @suite/store-postgres. Errors of the client and of the server are never wrapped in it. */
export class PostgresStoreError extends CodedError<PostgresStoreErrorCode> {
  static override readonly brand = Symbol.for("@suite/store-postgres/error");
  override readonly name = "PostgresStoreError";
}
