import { type AIMessageChunk, type BaseMessage, isAIMessageChunk, isBaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import type { Delta } from "@suite/core";
import { ChunkStream } from "../chunks/chunk-stream.js";
import type { AgentConfig } from "./target.js";

/** The name of events that carry a chunk of the graph as it is. */
const CHUNK_EVENT = "langgraph.chunk";

/** A piece of a message's text on its way, and how to put another in its place. */
interface Piece {
  readonly message: AIMessageChunk;
  replaced(message: BaseMessage): unknown;
}

/**
 * What an agent streams on its way to the layers and back. Text of the mode `messages` goes as text, so that a layer may hold
 * it back and change it; any other chunk is an event. What nobody changed comes out as the very same object.
 */
export class AgentChunks {
  /** Text has gone by. */
  texts = false;
  readonly #position: (chunk: unknown) => Piece | undefined;
  readonly #streams = new Map<string, { readonly chunks: ChunkStream; last: Piece }>();
  readonly #wrapped = new WeakMap<object, unknown>();

  constructor(config: AgentConfig | undefined) {
    this.#position = pieceFinder(config);
  }

  read(chunk: unknown): readonly Delta[] {
    const piece = this.#position(chunk);
    if (piece !== undefined) {
      const { id = "" } = piece.message;
      const stream = this.#streams.get(id) ?? { chunks: new ChunkStream(`${id} `), last: piece };
      const wrapped = new ChatGenerationChunk({ message: piece.message, text: piece.message.text });
      const deltas = stream.chunks.read(wrapped);
      if (deltas.every((delta) => delta.type === "part" && delta.part.type === "text")) {
        stream.last = piece;
        this.#streams.set(id, stream);
        this.#wrapped.set(wrapped, chunk);
        this.texts = true;
        return deltas;
      }
    }
    return [{ type: "event", name: CHUNK_EVENT, value: chunk }];
  }

  write(delta: Delta): readonly unknown[] {
    if (delta.type === "event") return delta.name === CHUNK_EVENT ? [delta.value] : [];
    if (delta.type !== "part") return [];
    for (const [id, { chunks, last }] of this.#streams) {
      if (!delta.at.startsWith(`${id} `)) continue;
      return chunks.write(delta).map((made) => this.#wrapped.get(made) ?? last.replaced(made.message));
    }
    return [];
  }
}

/** Where in a chunk a piece of text stands, by what was asked for: `[namespace?, mode?, [message, metadata]]`. */
function pieceFinder({ streamMode, subgraphs, encoding }: AgentConfig = {}): (chunk: unknown) => Piece | undefined {
  const modes = Array.isArray(streamMode) ? streamMode : undefined;
  if (encoding !== undefined || !(modes ?? [streamMode]).includes("messages")) return () => undefined;
  const depth = (subgraphs === true ? 1 : 0) + (modes === undefined ? 0 : 1);
  return (chunk) => {
    const path = depth === 0 ? [chunk] : Array.isArray(chunk) ? chunk : [];
    if (modes !== undefined && path[depth - 1] !== "messages") return undefined;
    const pair: unknown = path[depth];
    if (!Array.isArray(pair)) return undefined;
    const [message, metadata] = pair as readonly unknown[];
    if (!isBaseMessage(message) || !isAIMessageChunk(message as AIMessageChunk)) return undefined;
    return {
      message: message as AIMessageChunk,
      replaced(by) {
        const made = [by, metadata];
        return depth === 0 ? made : [...path.slice(0, depth), made];
      },
    };
  };
}
