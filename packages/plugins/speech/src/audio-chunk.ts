/** A chunk of the audio of a reply. */
export interface AudioChunk {
  /** The place of the text that is spoken, as its deltas have it in `at`. */
  readonly block: string;
  /** The number of the piece in its block, from 0 up. */
  readonly index: number;
  readonly mediaType: string;
  /** The bytes, in base64. Empty in the last chunk, which contains how the block ended. */
  readonly data: string;
  /** The last piece of its block: all of it was spoken, or it could not be. */
  readonly end?: "spoken" | "failed";
}
