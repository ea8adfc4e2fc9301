import { codedError } from "@suite/kit/errors";

/** The codes of all errors of @suite/store-redis itself. Closed: a new code is a new minor version. */
export type RedisStoreErrorCode =
  /** An option with an invalid value or an unknown name, or a client that cannot fulfil the contract of stores. */
  | "ERR_STORE_REDIS_OPTION"
  /** No reply within the timeout. It is unknown whether the operation was done, and it is not tried again. */
  | "ERR_STORE_REDIS_TIMEOUT"
  /**
   * A reply that no operation of this store returns: another program writes under its prefix, or the server is not
   * Redis.
   */
  | "ERR_STORE_REDIS_REPLY";

/** The error class of @suite/store-redis. Errors of the client and of the server are never wrapped in it. */
export class RedisStoreError extends codedError<RedisStoreErrorCode>("RedisStoreError", "@suite/store-redis/error") {}
