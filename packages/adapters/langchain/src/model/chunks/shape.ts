import type { UsageMetadata } from "@langchain/core/messages";

import type { FieldText } from "./fields.js";

/** The shape of one part's pieces in LangChain's chunks, so that a piece which a layer made looks like its neighbours. */
export interface Shape {
  /** The block without what grows, of content that comes as blocks. */
  readonly block?: Readonly<Record<string, unknown>>;
  /** The index of a tool call. */
  readonly index?: number;
  /** Whether reasoning stands beside the content, as compatible servers have it. */
  readonly beside?: boolean;
  /** The field that repeats the text, and is written with it. */
  readonly repeated?: FieldText;
  /** The field in which a text stands. */
  readonly field?: FieldText;
}

/** The place where a piece belongs: its part, and what LangChain goes by when it joins pieces. */
export interface Place {
  readonly at: string;
  /** The index of a block, where it has one: LangChain joins those of the same. Fields of a message (its text, say) have none. */
  readonly index?: unknown;
  /** A block with nothing to join it by: LangChain has each piece as a block of its own. */
  readonly alone?: boolean;
}

/** The state of one answer while it streams: shared by who reads its chunks and who writes them. */
export interface StreamState {
  /** The prefix of the positions of its parts. */
  readonly prefix: string;
  readonly shapes: Map<string, Shape>;
  /** Fields in which texts came, by their key. */
  readonly fields: Set<string>;
  /** Parts that are not over, as far as their end can be told before that of the answer. */
  readonly open: Map<string, Place>;
  /** Whether its provider ends a block before it begins the next one. */
  oneByOne: boolean;
  /** Counts of parts of blocks with nothing to join them by: how many blocks came. */
  readonly alone: Map<string, number>;
  /** The id of its message. */
  id: string | undefined;
  /** Tokens so far: chunks count what is new since the one before. */
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
