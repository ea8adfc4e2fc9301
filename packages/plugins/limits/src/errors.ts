import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/limits. Closed: a new code is a new minor version. */
export type LimitsErrorCode =
  /** An option has an invalid value or an unknown name. */
  | "ERR_LIMITS_OPTION"
  /** A model call exceeds its limit, and `exitBehavior` is `error`. */
  | "ERR_LIMITS_MODEL_CALLS"
  /** A tool call exceeds its limit, and `exitBehavior` is `error`. */
  | "ERR_LIMITS_TOOL_CALLS"
  /** The rate limit does not allow a model call yet. See `retryAfter`. */
  | "ERR_LIMITS_RATE"
  /** The budget does not cover a model call. */
  | "ERR_LIMITS_COST"
  /** The model has no price, so its cost is unknown. Add its name, exactly as in the request, to `prices`. */
  | "ERR_LIMITS_NO_PRICE";

/** The error class of @suite/limits. Errors of users and of a store are never wrapped in it. */
export class LimitsError extends codedError<LimitsErrorCode>("LimitsError", "@suite/limits/error") {
  /** Milliseconds until a call may be allowed again, if known. */
  readonly retryAfter: number | undefined;

  constructor(code: LimitsErrorCode, message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(code, message, options);
    this.retryAfter = options?.retryAfter;
  }
}
