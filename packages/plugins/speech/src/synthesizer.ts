import type { Awaitable } from "@suite/core";

/** A synthesiser: turns text into audio. */
export interface Synthesizer {
  /** The media type of its audio, such as `audio/mpeg`. */
  readonly mediaType: string;
  /**
   * The audio of a text, whole or as it comes. What it throws ends the speech of that block, and nothing else.
   *
   * @param options.signal aborts when nobody listens any more, or its time is over.
   */
  synthesize(
    text: string,
    options: { readonly signal: AbortSignal },
  ): Awaitable<Uint8Array | AsyncIterable<Uint8Array>>;
}
