import { AIMessageChunk, type MessageContent, type ToolCallChunk, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { Delta, Usage } from "@suite/core";
import type { FinishDelta, PartDelta, ReasoningPart } from "@suite/core/messages";
import { isRecord } from "@suite/kit";
import { blockOf } from "../../messages/blocks.js";
import { usageMetadataOf, withUsage } from "../../messages/usage.js";
import { METADATA_EVENT } from "./read.js";
import type { StreamState } from "./shape.js";

/**
 * Creates a chunk for a delta that a layer created, or passed without the other deltas of its chunk. Returns
 * `undefined` for deltas that cannot be in a chunk.
 */
export function chunkOf(delta: Delta, state: StreamState, counted: Counted): ChatGenerationChunk | undefined {
  if (delta.type === "part") return partChunk(delta, state);
  if (delta.type === "arguments") return callChunk(state, delta.at, { args: delta.json });
  if (delta.type === "finish") return finishChunk(delta, state, counted);
  if (delta.type !== "event" || delta.name !== METADATA_EVENT || !isRecord(delta.value)) return undefined;
  return build(state, { content: "", ...delta.value });
}

/** The provider's counts. The neutral ones were made from them. */
export interface Counted {
  of(usage: Usage): UsageMetadata | undefined;
}

function partChunk({ at, part }: PartDelta, state: StreamState): ChatGenerationChunk | undefined {
  const shape = state.shapes.get(at);
  if (shape?.field !== undefined) {
    return part.type === "reasoning"
      ? build(state, { content: "", ...shape.field.fieldsWith(part.content) })
      : undefined;
  }
  const partText = part.type === "text" || part.type === "reasoning" ? part.content : "";
  const fields = shape?.repeated?.fieldsWith(partText);
  if (part.type === "tool_call") {
    const { id, name, arguments: args } = part;
    // Arguments that arrived whole, not in pieces after their call.
    const argsText = isRecord(args) && Object.keys(args).length === 0 ? "" : JSON.stringify(args);
    return callChunk(state, at, { id, name, args: argsText });
  }
  if (part.type === "reasoning" && shape?.beside === true) {
    return build(state, { content: "", additional_kwargs: { reasoning_content: part.content } });
  }
  if (part.type === "text" && shape?.block === undefined) return build(state, { content: part.content, ...fields });
  const thinks = part.type === "reasoning" && shape?.block?.type === "thinking";
  const block = thinks ? thinkingOf(part) : blockOf(part);
  if (block === undefined) return undefined;
  const content = [isRecord(block) ? { ...block, ...shape?.block } : block] as MessageContent;
  return build(state, { content, ...fields });
}

const thinkingOf = ({ content, signature }: ReasoningPart) => ({
  thinking: content,
  ...(signature !== undefined && { signature }),
});

function callChunk(
  state: StreamState,
  at: string,
  piece: { id?: string; name?: string; args: string },
): ChatGenerationChunk {
  let shape = state.shapes.get(at);
  if (shape?.index === undefined) {
    shape = { ...shape, index: Array.from(state.shapes.values()).filter(({ index }) => index !== undefined).length };
    state.shapes.set(at, shape);
  }
  const { index = 0 } = shape;
  return build(state, { content: "", tool_call_chunks: [{ type: "tool_call_chunk", index, ...piece }] });
}

const providersWords: Readonly<Record<string, string>> = { __proto__: null as never, tool_call: "tool_calls" };

function finishChunk({ usage, finishReason, response }: FinishDelta, state: StreamState, counted: Counted) {
  const response_metadata = {
    ...(finishReason !== undefined && { finish_reason: providersWords[finishReason] ?? finishReason }),
    ...(response?.model !== undefined && { model_name: response.model }),
  };
  const usageMetadata = usage && (counted.of(usage) ?? usageMetadataOf(usage));
  return build(state, withUsage({ content: "", response_metadata }, usageMetadata));
}

/** The constructor fields of a message. */
interface Fields {
  readonly content: MessageContent;
  readonly tool_call_chunks?: ToolCallChunk[];
  readonly additional_kwargs?: Record<string, unknown>;
  readonly response_metadata?: Record<string, unknown>;
}

function build(state: StreamState, fields: Fields): ChatGenerationChunk {
  const message = new AIMessageChunk({ ...fields, ...(state.id !== undefined && { id: state.id }) });
  const text = typeof fields.content === "string" ? fields.content : message.text;
  return new ChatGenerationChunk({ message, text });
}
