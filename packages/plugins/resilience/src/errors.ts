import { CodedError } from "@suite/core";

/** The error codes of @suite/resilience. Closed: a new code is a new minor version. */
export type ResilienceErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_RESILIENCE_OPTION"
  /** A call that took longer than it may. The message says which of the times was over. */
  | "ERR_RESILIENCE_TIMEOUT"
  /** A tool that failed after it had told its progress. The message is the text of `toolErrors`; `cause` is its error. */
  | "ERR_RESILIENCE_TOOL_FAILED"
  /** A model call to a model that has failed too often. `retryAfter` says when it may be asked again. */
  | "ERR_RESILIENCE_CIRCUIT_OPEN"
  /** A tool call of a run that was undone before: what it had done is no more. */
  | "ERR_RESILIENCE_UNDONE"
  /** The reason with which the slower of two hedged requests is cancelled. Nobody else is given it. */
  | "ERR_RESILIENCE_HEDGE_LOST";

/** The one error class of @suite/resilience. Errors of users, and of providers, are never wrapped in it. */
export class ResilienceError extends CodedError<ResilienceErrorCode> {
  static override readonly brand = Symbol.for("@suite/resilience/error");
  override readonly name = "ResilienceError";
  /** Milliseconds until a call may be allowed again, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(code: ResilienceErrorCode, message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(code, message, options);
    this.retryAfter = options?.retryAfter;
  }
}
