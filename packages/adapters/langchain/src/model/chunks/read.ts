import { type AIMessageChunk, mergeUsageMetadata } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import { type Delta, text, toolCall } from "@suite/core";
import { isRecord } from "@suite/kit";
import { partOf } from "../../messages/blocks.js";
import { metadataOf } from "../../messages/metadata.js";
import { finishReasonOf, responseOf, usageOf } from "../../messages/usage.js";
import { endsBefore, noteProvider, partWithoutIndex } from "./ends.js";
import { type Fields, type FieldText, separate } from "./fields.js";
import type { Place, Shape, StreamState } from "./shape.js";

/** The fields of a chunk that are read. */
export type ReadChunk = Pick<ChatGenerationChunk, "message" | "generationInfo">;

/** The name of events with the fields that providers add to a chunk. */
export const METADATA_EVENT = "langchain.metadata";

/**
 * Converts one chunk of a chat model to deltas, in order. There is at least one, so that each chunk can be emitted
 * again. The ends of completed parts come first.
 */
export function deltasOf(chunk: ReadChunk, state: StreamState): readonly Delta[] {
  const message = chunk.message as AIMessageChunk;
  if (message.id !== undefined) state.id ??= message.id;
  noteProvider(message, state);
  const finish = finishDeltas(chunk, message, state);
  // Values in the chunk that ends an answer are complete.
  const takes = (key: string) => finish.length === 0 || state.fields.has(key);
  const { texts, rest: value } = separate(extrasOf(chunk, message) ?? {}, takes);
  for (const { key } of texts) state.fields.add(key);
  const deltas = [...contentDeltas(message, state, texts), ...callDeltas(message, state)];
  if ((value !== undefined && Object.keys(value).length > 0) || deltas.length === 0)
    deltas.push({ type: "event", name: METADATA_EVENT, value });
  return finish.length === 0 ? deltas : [...deltas, ...finish];
}

/**
 * Returns deltas of the content and of the strings in other fields. A field that repeats content is written with it.
 */
function contentDeltas(message: AIMessageChunk, state: StreamState, texts: readonly FieldText[]): Delta[] {
  const fieldTexts = new Set(texts);
  const deltas = partDeltas(message, state, fieldTexts);
  return [...deltas, ...fieldDeltas([...fieldTexts], state)];
}

/** Returns strings of fields as separate parts, so that a guard sees them joined. */
const fieldDeltas = (texts: readonly FieldText[], state: StreamState): readonly Delta[] =>
  texts.map((field) => {
    const at = `${state.prefix}field ${field.key}`;
    known(state, at, { field });
    return { type: "part", at, part: { type: "reasoning", content: field.content } };
  });

function partDeltas(message: AIMessageChunk, state: StreamState, fieldTexts: Set<FieldText>): Delta[] {
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
    if (content === "") return deltas;
    const repeated = repeatedIn(at, content, state, fieldTexts);
    known(state, at, repeated === undefined ? {} : { repeated });
    deltas.push(...endsBefore({ at }, state), { type: "part", at, part: text(content) });
    return deltas;
  }
  const called = (message.tool_call_chunks?.length ?? 0) > 0;
  for (const [position, block] of content.entries()) {
    // Pieces of tool calls are also in `tool_call_chunks`.
    if (!isRecord(block) || (called && callBlocks.has(String(block.type)))) continue;
    deltas.push(...blockDeltas(block, position, state, fieldTexts));
  }
  return deltas;
}

function blockDeltas(
  block: Record<string, unknown>,
  position: number,
  state: StreamState,
  fieldTexts: Set<FieldText>,
): readonly Delta[] {
  const part = partOf(block);
  if (part.type === "native" && block.index !== undefined) return piecesOf(block, position, state);
  const blockText = part.type === "text" || part.type === "reasoning" ? part.content : "";
  const candidate = Array.from(fieldTexts).find(({ content }) => content === blockText);
  const partRef = partRefOf(block, part.type, position, state, candidate?.key);
  const { at } = partRef;
  const deltas: Delta[] = [...endsBefore(partRef, state)];
  if (part.type !== "text" && part.type !== "reasoning") return [...deltas, { type: "part", at, part }];
  const { text: _, reasoning: __, thinking: ___, signature: ____, type, index, id, ...more } = block;
  const shape = { type, ...(index !== undefined && { index }), ...(id !== undefined && { id }) };
  const repeated = repeatedIn(at, blockText, state, fieldTexts);
  known(state, at, { block: shape, ...(repeated && { repeated }) });
  // Pieces are joined, so a native form would describe only the first.
  const { native: _____, ...piece } = part;
  deltas.push({ type: "part", at, part: piece });
  if (Object.keys(more).length === 0) return deltas;
  // Other fields, such as citations, are not part of the text and must not be lost.
  const value = { content: [{ ...shape, ...(part.type === "text" && { text: "" }), ...more }] };
  return [...deltas, { type: "event", name: METADATA_EVENT, value }];
}

/** Converts a provider-specific block that may continue: its strings become separate parts. */
function piecesOf(block: Record<string, unknown>, position: number, state: StreamState): readonly Delta[] {
  const { texts, rest } = separate({ content: [block] }, (key) => /^\.content\[[^\]]*\]\.[^.]+$/.test(key));
  const [value] = Array.isArray(rest?.content) ? rest.content : [];
  const partRef = partRefOf(block, "native", position, state);
  const deltas: Delta[] = [...endsBefore(partRef, state)];
  if (value !== undefined) deltas.push({ type: "part", at: partRef.at, part: { type: "native", value } });
  return [...deltas, ...fieldDeltas(texts, state)];
}

/** Returns the field that repeats this piece of a part, if it also repeated the first piece. */
function repeatedIn(at: string, text: string, state: StreamState, fieldTexts: Set<FieldText>): FieldText | undefined {
  const shape = state.shapes.get(at);
  for (const field of fieldTexts) {
    if (field.content !== text || state.shapes.has(`${state.prefix}field ${field.key}`)) continue;
    if (shape !== undefined && shape.repeated?.key !== field.key) continue;
    fieldTexts.delete(field);
    return field;
  }
  return undefined;
}

/** Returns the part of a block. LangChain joins by index, or else by id. */
function partRefOf(
  { index, id }: Record<string, unknown>,
  kind: string,
  position: number,
  state: StreamState,
  repeated?: string,
): Place {
  const { prefix } = state;
  if (index !== undefined) return { at: `${prefix}${kind} ${String(index)}`, index };
  if (id !== undefined) return { at: `${prefix}${kind} id ${String(id)}` };
  return partWithoutIndex(kind, state, position === 0 && (kind === "text" || kind === "reasoning"), repeated);
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

function finishDeltas({ generationInfo }: ReadChunk, message: AIMessageChunk, state: StreamState): Delta[] {
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

/** Returns the extras of a chunk: its other fields, which may contain anything. */
function extrasOf({ generationInfo = {} }: ReadChunk, message: AIMessageChunk): Fields | undefined {
  const { prompt: _, completion: __, ...info } = generationInfo;
  const { reasoning_content: ___, ...kwargs } = message.additional_kwargs ?? {};
  const called = message.tool_call_chunks ?? [];
  const metadata = metadataOf({
    additional_kwargs: kwargs,
    response_metadata: { ...message.response_metadata, ...info },
    tool_calls: called,
  });
  return metadata && { ...metadata };
}

function known(state: StreamState, at: string, shape: Shape): void {
  if (!state.shapes.has(at)) state.shapes.set(at, shape);
}
