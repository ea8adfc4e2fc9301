/** A chunk of the audio of a reply. */
export interface AudioChunk {
  /** The position of the spoken text block: `at` of its deltas. */
  readonly block: string;
  /** The number of the chunk in its block, counted from 0. */
  readonly index: number;
  readonly mediaType: string;
  /** The bytes, in base64. Empty in the last chunk, which contains how the block ended. */
  readonly data: string;
  /** Present on the last chunk of a block: the whole block was spoken, or speech failed. */
  readonly end?: "spoken" | "failed";
}
