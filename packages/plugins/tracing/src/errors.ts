import { branded } from "@suite/core";

const brand: unique symbol = Symbol.for("@suite/tracing/error") as never;

/** Everything that @suite/tracing itself can complain about. Closed: a new code is a new minor version. */
export type TracingErrorCode =
  /** An option has a value that it cannot have. */
  | "ERR_INVALID_OPTION"
  /** `setupTracing` found another tracer provider registered. */
  | "ERR_PROVIDER_REGISTERED";

/** The one error class of @suite/tracing. Errors of users and of OpenTelemetry are never wrapped in it. */
export class TracingError extends Error {
  override readonly name = "TracingError";
  readonly code: TracingErrorCode;
  /** @internal */
  readonly [brand] = true;

  constructor(code: TracingErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Holds across duplicated copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is TracingError {
    return branded(error, brand);
  }
}
