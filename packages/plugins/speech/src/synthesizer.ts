import type { Awaitable } from "@suite/core";

/** A synthesiser: turns text into audio. */
export interface Synthesizer {
  /** The media type of its audio, such as `audio/mpeg`. */
  readonly mediaType: string;
  /**
   * Returns the audio of a text, whole or as a stream. An error that it throws ends the speech of that block only.
   *
   * @param options.signal aborts when no one listens any more or the timeout has passed.
   */
  synthesize(
    text: string,
    options: { readonly signal: AbortSignal },
  ): Awaitable<Uint8Array | AsyncIterable<Uint8Array>>;
}
