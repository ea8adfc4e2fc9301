import type { UsageMetadata } from "@langchain/core/messages";

import type { FieldText } from "./fields.js";

/** The shape of a part's pieces in LangChain's chunks, so that a piece of a layer looks like the others. */
export interface Shape {
  /** The block without its growing text, for content of blocks. */
  readonly block?: Readonly<Record<string, unknown>>;
  /** The index of a tool call. */
  readonly index?: number;
  /** True if reasoning is in a field next to the content, as compatible servers send it. */
  readonly beside?: boolean;
  /** The field that repeats the text and is written with it. */
  readonly repeated?: FieldText;
  /** The field that contains the text. */
  readonly field?: FieldText;
}

/** The place of a piece: its part, and the values that LangChain uses to join pieces. */
export interface Place {
  readonly at: string;
  /**
   * The index of a block. LangChain joins blocks with the same index. Fields of a message, such as its text, have none.
   */
  readonly index?: unknown;
  /** True for a block without index or id. In LangChain each piece is a separate block. */
  readonly alone?: boolean;
}

/** The state of one streamed answer, shared by the reader and the writer of its chunks. */
export interface StreamState {
  /** The prefix of the positions of its parts. */
  readonly prefix: string;
  readonly shapes: Map<string, Shape>;
  /** The keys of fields that contained text. */
  readonly fields: Set<string>;
  /** Open parts whose end can be known before the end of the answer. */
  readonly open: Map<string, Place>;
  /** True if the provider ends a block before it begins the next one. */
  oneByOne: boolean;
  /** The number of blocks without index or id, by part. */
  readonly alone: Map<string, number>;
  /** The id of its message. */
  id: string | undefined;
  /** The tokens so far. Chunks count the tokens since the previous chunk. */
  counted: UsageMetadata | undefined;
}

export const newStreamState = (prefix: string): StreamState => ({
  prefix,
  shapes: new Map(),
  fields: new Set(),
  open: new Map(),
  oneByOne: false,
  alone: new Map(),
  id: undefined,
  counted: undefined,
});
