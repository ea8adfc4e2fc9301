import type { RecognizerFunction } from "./recognizer-function.js";

/** The limits that a user's function is held to. */
export interface Declared {
  readonly type: string;
  /** The maximum length of a match, if it is declared. */
  readonly maxLength: number | undefined;
  /** The score of matches that come without one. */
  readonly score: number;
}

/** A recogniser of a user's that has to be waited for. */
export interface AsyncRecogniser extends Declared {
  readonly find: RecognizerFunction;
  /** Milliseconds. */
  readonly timeout: number;
  /** True if an invalid answer is ignored. */
  readonly ignores: boolean;
}
