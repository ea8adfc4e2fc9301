/** A match of a user's recogniser function, in UTF-16 units of the text that it received. */
export interface RecognizerMatch {
  readonly start: number;
  readonly end: number;
  readonly score?: number;
}

/** The second argument of a user's recogniser function. */
export interface RecognizerCall {
  /**
   * The signal for async functions. It aborts when the result is no longer needed: after a timeout or at the end of the
   * run.
   */
  readonly signal: AbortSignal;
}

/**
 * A user's recogniser function. Returns every match in the text, in any order. If two matches overlap, both are
 * removed. It must be pure: the same text gives the same matches. A function that returns a promise works only in
 * `pii()`, `redactAsync`, `detectAsync`, `valueAsync` and `streamAsync`.
 */
export type RecognizerFunction = (
  text: string,
  call: RecognizerCall,
) => Iterable<RecognizerMatch> | PromiseLike<Iterable<RecognizerMatch>>;
