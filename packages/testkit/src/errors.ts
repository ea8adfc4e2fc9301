import { branded } from "@suite/core";

const brand: unique symbol = Symbol.for("@suite/testkit/error") as never;

/** Everything that @suite/testkit itself can complain about. */
export type TestkitErrorCode =
  /** The port that was asked for is taken. */
  | "ERR_PORT_IN_USE"
  /** The server cannot listen there, for another reason. */
  | "ERR_LISTEN"
  /** A scripted answer contradicts itself, or is not JSON. */
  | "ERR_INVALID_ANSWER"
  /** What a scenario promises did not hold. */
  | "ERR_EXPECTATION"
  /** A subject lacks what it says it offers. */
  | "ERR_INVALID_SUBJECT";

/** The one error class of @suite/testkit. */
export class TestkitError extends Error {
  override readonly name = "TestkitError";
  readonly code: TestkitErrorCode;
  /** @internal */
  readonly [brand] = true;

  constructor(code: TestkitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** Holds across duplicated copies of this package, where `instanceof` does not. */
  static is(error: unknown): error is TestkitError {
    return branded(error, brand);
  }
}
