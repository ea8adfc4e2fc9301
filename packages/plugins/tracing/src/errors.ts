import { codedError } from "@suite/kit/errors";
import { type CheckOptions, optionsChecker } from "@suite/kit/options";

/** The error codes of @suite/tracing. Closed: a new code is a new minor version. */
export type TracingErrorCode =
  /** An option has an invalid value. */
  | "ERR_TRACING_INVALID_OPTION"
  /** `setupTracing` found another tracer provider registered. */
  | "ERR_TRACING_PROVIDER_REGISTERED"
  /** `setupTracing` found an unsupported version of OpenTelemetry's SDK. */
  | "ERR_TRACING_SDK_VERSION";

/** The one error class of @suite/tracing. Errors of users and of OpenTelemetry are never wrapped in it. */
export class TracingError extends codedError<TracingErrorCode>("TracingError", "@suite/tracing/error") {}

/** Checks the options of `tracing` and `setupTracing`. */
export const checkOptions: CheckOptions = optionsChecker(
  (message) => new TracingError("ERR_TRACING_INVALID_OPTION", message),
);
