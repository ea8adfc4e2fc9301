/** A match of a user's recogniser function, in UTF-16 units of the text that it was given. */
export interface RecognizerMatch {
  readonly start: number;
  readonly end: number;
  readonly score?: number;
}

/** The call of a user's recogniser function: what it is told besides the text. */
export interface RecognizerCall {
  /** The signal for async functions: aborts when nobody waits any more, because the time is up or the run has ended. */
  readonly signal: AbortSignal;
}

/**
 * A user's recogniser function: every match in the text, in any order; where two overlap, both are taken out. It must be
 * pure: the same text, the same matches. One that gives a promise works in `pii()`, `redactAsync`, `detectAsync`,
 * `valueAsync` and `streamAsync`, and nowhere else.
 */
export type RecognizerFunction = (
  text: string,
  call: RecognizerCall,
) => Iterable<RecognizerMatch> | PromiseLike<Iterable<RecognizerMatch>>;
