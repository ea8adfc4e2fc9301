import { codedError } from "@suite/kit/errors";

/** The codes of all errors of @suite/store-postgres itself. Closed: a new code is a new minor version. */
export type PostgresStoreErrorCode =
  /** An option with an invalid value or an unknown name. */
  | "ERR_STORE_POSTGRES_OPTION"
  /**
   * A timeout. Without a connection of the pool, nothing was done. Without a result, it is unknown whether the
   * operation was done.
   */
  | "ERR_STORE_POSTGRES_TIMEOUT"
  /** A value that another program has written to the table of this store. */
  | "ERR_STORE_POSTGRES_VALUE";

/** The error class of @suite/store-postgres. Errors of the client and of the server are never wrapped in it. */
export class PostgresStoreError extends codedError<PostgresStoreErrorCode>(
  "PostgresStoreError",
  "@suite/store-postgres/error",
) {}
