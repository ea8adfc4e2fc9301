import type { UsageMetadata } from "@langchain/core/messages";

/** How the pieces of one part look in LangChain's chunks, so that a piece which a layer made looks like its neighbours. */
export interface Shape {
  /** Of content that comes as blocks: the block without what grows. */
  readonly block?: Readonly<Record<string, unknown>>;
  /** Of a tool call. */
  readonly index?: number;
  /** Of reasoning that stands beside the content, as compatible servers have it. */
  readonly beside?: boolean;
}

/** What is known of one answer while it streams: shared by who reads its chunks and who writes them. */
export interface StreamState {
  /** Of the positions of its parts. */
  readonly prefix: string;
  readonly shapes: Map<string, Shape>;
  /** The id of its message. */
  id: string | undefined;
  /** Tokens so far: chunks count what is new since the one before. */
  counted: UsageMetadata | undefined;
}

export const newStreamState = (prefix: string): StreamState => ({
  prefix,
  shapes: new Map(),
  id: undefined,
  counted: undefined,
});
