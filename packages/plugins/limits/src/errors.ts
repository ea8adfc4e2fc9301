import { CodedError } from "@suite/core";

/** The error codes of @suite/limits. Closed: a new code is a new minor version. */
export type LimitsErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_LIMITS_OPTION"
  /** A model call that is beyond its limit, where `exitBehavior` is `error`. */
  | "ERR_LIMITS_MODEL_CALLS"
  /** A tool call that is beyond its limit, where `exitBehavior` is `error`. */
  | "ERR_LIMITS_TOOL_CALLS"
  /** A model call that its rate does not allow now. `retryAfter` says when. */
  | "ERR_LIMITS_RATE"
  /** A model call that its budget cannot pay for. */
  | "ERR_LIMITS_COST"
  /** A model without a price, so that nobody can say what it costs. */
  | "ERR_LIMITS_NO_PRICE";

/** The one error class of @suite/limits. Errors of users, and of a store, are never wrapped in it. */
export class LimitsError extends CodedError<LimitsErrorCode> {
  static override readonly brand = Symbol.for("@suite/limits/error");
  override readonly name = "LimitsError";
  /** Milliseconds until a call may be allowed again, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: LimitsErrorCode, message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(code, message, options);
    this.retryAfter = options?.retryAfter;
  }
}
