import type { AIMessageChunk } from "@langchain/core/messages";
import type { PartEndDelta } from "@suite/core";
import type { Place, StreamState } from "./shape.js";

/** Providers whose protocol has a block end before the next one begins, as `response_metadata` names them. */
const oneByOne: ReadonlySet<unknown> = new Set(["anthropic"]);

/** Keeps what a chunk tells of its provider. */
export function noteProvider({ response_metadata }: AIMessageChunk, state: StreamState): void {
  state.oneByOne ||= oneByOne.has(response_metadata?.model_provider);
}

/**
 * The ends of the parts that are over where a piece of another part comes, which is open from here on. Only what is certain:
 * of a field of the message, and of blocks that a provider may fill at the same time, more may come, and LangChain joins it.
 */
export function endsBefore(place: Place, state: StreamState): readonly PartEndDelta[] {
  const { open } = state;
  if (open.size === (open.has(place.at) ? 1 : 0)) {
    if (place.alone === true || place.index !== undefined) open.set(place.at, place);
    return none;
  }
  const ends: PartEndDelta[] = [];
  for (const { at, index, alone } of open.values()) {
    if (at === place.at || (alone !== true && (!state.oneByOne || index === place.index))) continue;
    open.delete(at);
    ends.push({ type: "part_end", at });
  }
  if (place.alone === true || place.index !== undefined) open.set(place.at, place);
  return ends;
}

const none: readonly never[] = [];

/**
 * The part of a block with nothing to join it by: where it `follows`, that of the block before it, if that is of its kind, and
 * the same field repeats it.
 */
export function placeAlone(kind: string, state: StreamState, follows: boolean, repeated?: string): Place {
  const { open, alone } = state;
  const stem = `${state.prefix}${kind} alone `;
  const last = follows ? Array.from(open.values()).find((one) => one.alone === true) : undefined;
  const same = last !== undefined && state.shapes.get(last.at)?.repeated?.key === repeated;
  const at = same && last.at.startsWith(stem) ? last.at : `${stem}${alone.size}`;
  alone.set(at, (alone.get(at) ?? 0) + 1);
  return { at, alone: true };
}
