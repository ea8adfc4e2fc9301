import type { Declared } from "../patterns/answer.js";
import type { RecognizerFunction } from "../recognisers/function.js";

/** A recogniser of a user's that has to be waited for. */
export interface AsyncRecogniser extends Declared {
  readonly find: RecognizerFunction;
  /** Milliseconds. */
  readonly timeout: number;
  /** Whether a wrong answer is left out. */
  readonly ignores: boolean;
}
