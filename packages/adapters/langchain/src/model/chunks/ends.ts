import type { AIMessageChunk } from "@langchain/core/messages";
import type { PartEndDelta } from "@suite/core/messages";
import type { Place, StreamState } from "./shape.js";

/** Providers whose protocol ends a block before the next one begins, as named in `response_metadata`. */
const oneByOne: ReadonlySet<unknown> = new Set(["anthropic"]);

/** Stores the provider of a chunk. */
export function noteProvider({ response_metadata }: AIMessageChunk, state: StreamState): void {
  state.oneByOne ||= oneByOne.has(response_metadata?.model_provider);
}

/**
 * Returns the ends of the parts that are complete when a piece of another part arrives, and opens that part. Only
 * certain ends: a field of the message, and blocks that a provider may fill in parallel, may get more pieces, which
 * LangChain joins.
 */
export function endsBefore(partRef: Place, state: StreamState): readonly PartEndDelta[] {
  const { open } = state;
  if (open.size === (open.has(partRef.at) ? 1 : 0)) {
    if (partRef.alone === true || partRef.index !== undefined) open.set(partRef.at, partRef);
    return none;
  }
  const ends: PartEndDelta[] = [];
  for (const { at, index, alone } of open.values()) {
    if (at === partRef.at || (alone !== true && (!state.oneByOne || index === partRef.index))) continue;
    open.delete(at);
    ends.push({ type: "part_end", at });
  }
  if (partRef.alone === true || partRef.index !== undefined) open.set(partRef.at, partRef);
  return ends;
}

const none: readonly never[] = [];

/**
 * Returns the part of a block without index or id. If it `follows` a block of the same kind, and the same field repeats
 * it, it belongs to the part of that block.
 */
export function partWithoutIndex(kind: string, state: StreamState, follows: boolean, repeated?: string): Place {
  const { open, alone } = state;
  const stem = `${state.prefix}${kind} alone `;
  const last = follows ? Array.from(open.values()).find((one) => one.alone === true) : undefined;
  const same = last !== undefined && state.shapes.get(last.at)?.repeated?.key === repeated;
  const at = same && last.at.startsWith(stem) ? last.at : `${stem}${alone.size}`;
  alone.set(at, (alone.get(at) ?? 0) + 1);
  return { at, alone: true };
}
