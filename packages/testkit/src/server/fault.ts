/**
 * A place in the body: after so many events (2.5: in the middle of the third), or after so many pieces of text. A
 * JSON body is one event; pieces of text in it are its first half.
 */
export type Place = number | { readonly textPieces: number };

/** A fault of the server. Faults can be combined. */
export interface Fault {
  /** An HTTP status, such as 429, 500 or 503, with the provider's error body. */
  readonly status?: number;
  /** Seconds. Sent as `retry-after` together with `status`. */
  readonly retryAfter?: number;
  /** The message of the error body, or of the error event. */
  readonly message?: string;
  /** The socket is destroyed there, after everything before it was sent. */
  readonly cut?: "before-headers" | Place;
  /**
   * Nothing is sent after this place, and the connection stays open until either side closes it. `cut` takes
   * precedence.
   */
  readonly hang?: "before-headers" | Place;
  /**
   * The answer ends there, and the connection is closed as after a complete one, as proxies and restarting servers do.
   */
  readonly end?: Place;
  /** The JSON body, or the event at that place, breaks off in the middle of its data. */
  readonly malformed?: Place;
  /** The provider's error event is sent there, and ends the stream. */
  readonly error?: Place;
  /** Milliseconds before each event. */
  readonly delay?: number;
  /**
   * The length of the pieces in which the bytes of the body are sent, or the only offsets at which they are cut, even
   * inside characters and line ends.
   */
  readonly split?: number | readonly number[];
  /** The end of a line of the event stream; the standard allows all three. Default `"\n"`. */
  readonly newline?: "\n" | "\r\n" | "\r";
}
