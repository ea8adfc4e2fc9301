import { codedError } from "@suite/kit/errors";

/** The error codes of @suite/testkit. */
export type TestkitErrorCode =
  /** The requested port is in use. */
  | "ERR_TESTKIT_PORT_IN_USE"
  /** The server cannot listen on that port for another reason. */
  | "ERR_TESTKIT_LISTEN"
  /** A scripted answer contradicts itself, or is not JSON. */
  | "ERR_TESTKIT_INVALID_ANSWER"
  /** The script of a model has no answer for this call. */
  | "ERR_TESTKIT_NO_ANSWER"
  /** An expectation of a scenario was not met. */
  | "ERR_TESTKIT_EXPECTATION"
  /** A subject lacks a capability that it claims. */
  | "ERR_TESTKIT_INVALID_SUBJECT";

/** The error class of @suite/testkit. */
export class TestkitError extends codedError<TestkitErrorCode>("TestkitError", "@suite/testkit/error") {}
