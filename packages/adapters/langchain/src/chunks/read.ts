import { type AIMessageChunk, mergeUsageMetadata } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import { type Delta, text, toolCall } from "@suite/core";
import { partOf } from "../messages/blocks.js";
import { isRecord, metadataOf } from "../messages/metadata.js";
import { finishReasonOf, responseOf, usageOf } from "../messages/usage.js";
import { endsBefore, noteProvider, placeAlone } from "./ends.js";
import type { Place, Shape, StreamState } from "./shape.js";

/** The name of events that carry what providers add to a chunk beside its content. */
export const METADATA_EVENT = "langchain.metadata";

/**
 * One chunk of a chat model as deltas: in order, and at least one, so that each chunk can come out again. Before them stand the
 * ends of the parts that are over with it.
 */
export function deltasOf(chunk: ChatGenerationChunk, state: StreamState): readonly Delta[] {
  const message = chunk.message as AIMessageChunk;
  if (message.id !== undefined) state.id ??= message.id;
  noteProvider(message, state);
  const deltas = [
    ...contentDeltas(message, state),
    ...callDeltas(message, state),
    ...finishDeltas(chunk, message, state),
  ];
  const value = extrasOf(chunk, message);
  if (value !== undefined || deltas.length === 0) deltas.push({ type: "event", name: METADATA_EVENT, value });
  return deltas;
}

function contentDeltas(message: AIMessageChunk, state: StreamState): Delta[] {
  const { content, additional_kwargs } = message;
  const deltas: Delta[] = [];
  const thought = additional_kwargs?.reasoning_content;
  if (typeof thought === "string" && thought !== "") {
    const at = `${state.prefix}beside`;
    known(state, at, { beside: true });
    deltas.push(...endsBefore({ at }, state), { type: "part", at, part: { type: "reasoning", content: thought } });
  }
  if (typeof content === "string") {
    const at = `${state.prefix}text`;
    if (content !== "") deltas.push(...endsBefore({ at }, state), { type: "part", at, part: text(content) });
    return deltas;
  }
  for (const [position, block] of content.entries()) {
    // Pieces of tool calls stand in `tool_call_chunks`, too.
    if (!isRecord(block) || callBlocks.has(String(block.type))) continue;
    deltas.push(...blockDeltas(block, position, state));
  }
  return deltas;
}

function blockDeltas(block: Record<string, unknown>, position: number, state: StreamState): readonly Delta[] {
  const part = partOf(block);
  const place = placeOf(block, part.type, position, state);
  const { at } = place;
  const deltas: Delta[] = [...endsBefore(place, state)];
  if (part.type !== "text" && part.type !== "reasoning") return [...deltas, { type: "part", at, part }];
  const { text: _, reasoning: __, thinking: ___, signature: ____, type, index, id, ...more } = block;
  const shape = { type, ...(index !== undefined && { index }), ...(id !== undefined && { id }) };
  known(state, at, { block: shape });
  // Pieces grow together: a native form would only be that of the first.
  const { native: _____, ...piece } = part;
  deltas.push({ type: "part", at, part: piece });
  if (Object.keys(more).length === 0) return deltas;
  // Citations, say: no part of the text, and not to be lost.
  const value = { content: [{ ...shape, ...(part.type === "text" && { text: "" }), ...more }] };
  return [...deltas, { type: "event", name: METADATA_EVENT, value }];
}

/** The part that a block belongs to, as LangChain joins them: by index, else by id. */
function placeOf({ index, id }: Record<string, unknown>, kind: string, position: number, state: StreamState): Place {
  const { prefix } = state;
  if (index !== undefined) return { at: `${prefix}${kind} ${String(index)}`, index };
  if (id !== undefined) return { at: `${prefix}${kind} id ${String(id)}` };
  return placeAlone(kind, state, position === 0 && (kind === "text" || kind === "reasoning"));
}

const callBlocks = new Set([
  "tool_use",
  "input_json_delta",
  "tool_call",
  "tool_call_chunk",
  "function_call",
  "functionCall",
]);

function callDeltas({ tool_call_chunks: chunks = [] }: AIMessageChunk, state: StreamState): Delta[] {
  return chunks.flatMap(({ id, name, args, index }): Delta[] => {
    const at = `${state.prefix}call ${index ?? id ?? 0}`;
    const deltas: Delta[] = [...endsBefore({ at, index }, state)];
    if (!state.shapes.has(at)) deltas.push({ type: "part", at, part: toolCall(id ?? "", name ?? "", {}) });
    known(state, at, index === undefined ? {} : { index });
    if (args !== undefined && args !== "") deltas.push({ type: "arguments", at, json: args });
    return deltas;
  });
}

function finishDeltas({ generationInfo }: ChatGenerationChunk, message: AIMessageChunk, state: StreamState): Delta[] {
  const { usage_metadata: counted } = message;
  if (counted !== undefined) state.counted = mergeUsageMetadata(state.counted, counted);
  const usage = counted === undefined ? undefined : usageOf(state.counted);
  const finishReason = finishReasonOf(generationInfo, message.response_metadata);
  if (usage === undefined && finishReason === undefined) return [];
  const response = responseOf(undefined, { ...message.response_metadata, ...generationInfo });
  return [
    {
      type: "finish",
      ...(usage && { usage }),
      ...(finishReason !== undefined && { finishReason }),
      ...(response && { response }),
    },
  ];
}

/** What is in a chunk beside all this, and may hold anything. */
function extrasOf({ generationInfo = {} }: ChatGenerationChunk, message: AIMessageChunk): object | undefined {
  const { prompt: _, completion: __, ...info } = generationInfo;
  const { reasoning_content: ___, ...kwargs } = message.additional_kwargs ?? {};
  const called = message.tool_call_chunks ?? [];
  return metadataOf({
    additional_kwargs: kwargs,
    response_metadata: { ...message.response_metadata, ...info },
    tool_calls: called,
  });
}

function known(state: StreamState, at: string, shape: Shape): void {
  if (!state.shapes.has(at)) state.shapes.set(at, shape);
}
