import type Anthropic from "@anthropic-ai/sdk";
import type { Delta, Part } from "@suite/core";
import type { FinishDelta } from "@suite/core/messages";
import {
  type Json,
  jsonOf,
  latestUsage,
  messagesContextEdits,
  messagesFinishReason,
  messagesUsage,
  stringOf,
} from "@suite/wire";

/** Reads a stream event by event. */
export class EventReader {
  #ending: Ending | undefined;
  #finished = false;
  /** The `at` of each block that has emitted a delta. It is used again when the block ends. */
  readonly #open = new Map<number, string>();
  /**
   * Calls of the provider's tools are emitted whole: their input streams, but only calls of the agent's tools have
   * deltas for arguments.
   */
  readonly #serverCalls = new Map<number, { readonly block: Anthropic.ServerToolUseBlock; json: string }>();
  /** Compactions by block. They are emitted whole, since they are sent back with all their fields. */
  readonly #compactions = new Map<number, Json>();

  /** True if the provider has reported the end of the answer. */
  get finished(): boolean {
    return this.#finished;
  }

  read(event: Anthropic.RawMessageStreamEvent): Delta | undefined {
    const delta = this.#read(event);
    if (delta?.type === "part" && "index" in event) this.#open.set(event.index, delta.at);
    return delta;
  }

  #read(event: Anthropic.RawMessageStreamEvent): Delta | undefined {
    switch (event.type) {
      case "message_start":
        this.#ending = event.message;
        return undefined;
      case "content_block_start":
        return this.#start(event.index, event.content_block);
      case "content_block_delta":
        return this.#piece(event.index, event.delta);
      case "content_block_stop":
        return this.#stop(event.index);
      case "message_delta":
        if (this.#ending === undefined) return undefined;
        this.#ending = {
          ...this.#ending,
          stop_reason: event.delta.stop_reason,
          usage: latestUsage(this.#ending.usage, event.usage),
          ...contextOf(event),
        };
        return undefined;
      case "message_stop":
        if (this.#ending === undefined) return undefined;
        this.#finished = true;
        return finishOf(this.#ending);
      default:
        return undefined;
    }
  }

  #start(index: number, block: Anthropic.ContentBlock): Delta | undefined {
    if (block.type === "server_tool_use") {
      this.#serverCalls.set(index, { block, json: "" });
      return undefined;
    }
    if (jsonOf(block).type === "compaction") {
      this.#compactions.set(index, { ...block });
      return undefined;
    }
    return pieceOf(index, partOf(block));
  }

  #piece(index: number, delta: Anthropic.RawContentBlockDelta): Delta | undefined {
    const compaction = this.#compactions.get(index);
    if (compaction !== undefined) {
      const { type: _, content, ...more } = jsonOf(delta);
      const text = content === null ? compaction.content : stringOf(compaction.content) + stringOf(content);
      Object.assign(compaction, more, { content: text });
      return undefined;
    }
    switch (delta.type) {
      case "text_delta":
        return pieceOf(index, { type: "text", content: delta.text });
      case "thinking_delta":
        return pieceOf(index, { type: "reasoning", content: delta.thinking });
      case "signature_delta":
        return pieceOf(index, { type: "reasoning", content: "", signature: delta.signature });
      case "input_json_delta":
        return this.#json(index, delta.partial_json);
      default:
        return undefined;
    }
  }

  #json(index: number, json: string): Delta | undefined {
    const call = this.#serverCalls.get(index);
    if (call !== undefined) call.json += json;
    else if (json !== "") return { type: "arguments", at: `c${index}`, json };
    return undefined;
  }

  #stop(index: number): Delta | undefined {
    const compaction = this.#compactions.get(index);
    if (compaction !== undefined) {
      this.#compactions.delete(index);
      return { type: "part", at: `s${index}`, part: { type: "native", value: compaction } };
    }
    const call = this.#serverCalls.get(index);
    if (call === undefined) {
      const at = this.#open.get(index);
      this.#open.delete(index);
      return at === undefined ? undefined : { type: "part_end", at };
    }
    this.#serverCalls.delete(index);
    const block = call.json === "" ? call.block : { ...call.block, input: parsed(call.json) };
    return { type: "part", at: `s${index}`, part: partOf(block) };
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

const isEmpty = (part: Part): boolean =>
  part.type === "text" ? part.content === "" : part.type === "reasoning" && part.content === "" && !part.signature;

/** Returns the delta of a piece of a block, or `undefined` if the piece is empty. */
const pieceOf = (index: number, part: Part): Delta | undefined =>
  isEmpty(part) ? undefined : { type: "part", at: `${letterOf(part)}${index}`, part };

const letters: Partial<Record<Part["type"], string>> = { text: "t", reasoning: "r", tool_call: "c" };
const letterOf = (part: Part): string => letters[part.type] ?? "s";

/** The data of an answer without its content. */
export type Ending = Pick<Anthropic.Message, "id" | "model" | "stop_reason"> & {
  readonly usage: AnyUsage;
  readonly context_management?: unknown;
};

/** The usage of a whole answer, or of a stream's last event. */
type AnyUsage = Partial<Anthropic.MessageDeltaUsage>;

/** Returns the provider's report of its context management, if an event has one. */
function contextOf(event: object): Pick<Ending, "context_management"> {
  const { context_management } = jsonOf(event);
  return context_management === undefined ? {} : { context_management };
}

export const finishOf = ({ id, model, stop_reason, usage, context_management }: Ending): FinishDelta => ({
  type: "finish",
  usage: messagesUsage(usage),
  ...(stop_reason && { finishReason: messagesFinishReason(stop_reason) }),
  response: { id, model, ...messagesContextEdits(context_management) },
});

/** Converts a block of an answer to a part. Blocks that the neutral model lacks are sent back unchanged. */
export function partOf(block: Anthropic.ContentBlock): Part {
  switch (block.type) {
    case "text":
      return { type: "text", content: block.text };
    case "thinking":
      return { type: "reasoning", content: block.thinking, ...(block.signature && { signature: block.signature }) };
    case "tool_use":
      return { type: "tool_call", id: block.id, name: block.name, arguments: block.input };
    case "server_tool_use":
      return { type: "server_tool_call", id: block.id, name: block.name, serverToolCall: { ...block } };
    default:
      if ("tool_use_id" in block) {
        return { type: "server_tool_call_response", id: block.tool_use_id, serverToolCallResponse: { ...block } };
      }
      return { type: "native", value: block };
  }
}
