import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/resilience. Closed: a new code is a new minor version. */
export type ResilienceErrorCode =
  /** An option that makes no sense, or has no such name. */
  | "ERR_RESILIENCE_OPTION"
  /** A call took too long. The message names the exceeded limit. */
  | "ERR_RESILIENCE_TIMEOUT"
  /**
   * A tool failed after it had reported progress. The message is the text of `toolErrors`; `cause` is the tool's error.
   */
  | "ERR_RESILIENCE_TOOL_FAILED"
  /** A model has failed too often. `retryAfter` is the time until it may be called again. */
  | "ERR_RESILIENCE_CIRCUIT_OPEN"
  /** The run of a tool call was undone before, so its earlier effects no longer exist. */
  | "ERR_RESILIENCE_UNDONE"
  /** The abort reason of the slower of two hedged requests. It is not thrown to the caller. */
  | "ERR_RESILIENCE_HEDGE_LOST";

/** The one error class of @suite/resilience. Errors of users, and of providers, are never wrapped in it. */
export class ResilienceError extends codedError<ResilienceErrorCode>("ResilienceError", "@suite/resilience/error") {
  /** Milliseconds until a call may be allowed again, if known. */
  readonly retryAfter: number | undefined;

  constructor(code: ResilienceErrorCode, message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(code, message, options);
    this.retryAfter = options?.retryAfter;
  }
}
