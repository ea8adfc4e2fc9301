import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/memory. Closed: a new code is a new minor version. */
export type MemoryErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_MEMORY_OPTION"
  /** A run has no user, so its memories are not known. */
  | "ERR_MEMORY_USER"
  /** A store that has not answered in time. */
  | "ERR_MEMORY_TIMEOUT"
  /** A store that takes no more records. */
  | "ERR_MEMORY_FULL"
  /** A store or a user's function returned an invalid value. */
  | "ERR_MEMORY_ANSWER";

/** The one error class of @suite/memory. Errors of stores and of users' functions are never wrapped in it. */
export class MemoryError extends codedError<MemoryErrorCode>("MemoryError", "@suite/memory/error") {}
