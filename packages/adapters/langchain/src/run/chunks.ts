import type { Delta } from "@suite/core";
import { ChunkStream } from "../model/chunks/chunk-stream.js";
import type { ReadChunk } from "../model/chunks/read.js";
import { type Found, isOver, type Piece, pieceFinder } from "./pieces.js";
import type { AgentConfig } from "./target.js";

/** The name of events that contain an unchanged chunk of the graph. */
const CHUNK_EVENT = "langgraph.chunk";

/** A chunk of the graph with its piece of text. */
interface GraphChunk extends ReadChunk {
  readonly chunk: unknown;
}

/** The streamed text of one message. */
interface Texts {
  readonly chunks: ChunkStream<GraphChunk>;
  last: Piece;
}

/**
 * The chunks of an agent's stream on their way to the layers and back. Text of the mode `messages` becomes text deltas,
 * so that a layer may hold it back and change it. Any other chunk is an event. Unchanged chunks remain the same
 * objects.
 */
export class AgentChunks {
  /** True if text was streamed. */
  texts = false;
  readonly #find: (chunk: unknown) => Found | undefined;
  /** Streamed text, by message and by the position of the part. */
  readonly #messages = new Map<string, Texts>();
  readonly #parts = new Map<string, Texts>();
  #written: Texts | undefined;
  /** The parts that may get more pieces. */
  readonly #open = new Map<string, Piece>();

  constructor(config: AgentConfig | undefined) {
    this.#find = pieceFinder(config);
  }

  read(chunk: unknown): readonly Delta[] {
    const found = this.#find(chunk);
    const ends = this.#open.size === 0 || found === undefined ? [] : this.#ends(found);
    const deltas = found !== undefined && "message" in found ? this.#texts(found, chunk) : undefined;
    return [...ends, ...(deltas ?? [{ type: "event", name: CHUNK_EVENT, value: chunk } as const])];
  }

  write(delta: Delta): readonly unknown[] {
    if (delta.type === "event") return delta.name === CHUNK_EVENT ? [...this.rest(), delta.value] : [];
    const texts = delta.type === "part" || delta.type === "part_end" ? this.#parts.get(delta.at) : undefined;
    if (texts === undefined) return [];
    const before = texts === this.#written ? [] : this.rest();
    this.#written = texts;
    return [...before, ...this.#output(texts, texts.chunks.write(delta))];
  }

  /** Returns the chunks that the last written message still holds back. */
  rest(): readonly unknown[] {
    const texts = this.#written;
    this.#written = undefined;
    return texts === undefined ? [] : this.#output(texts, texts.chunks.rest());
  }

  #output({ last }: Texts, chunks: readonly (GraphChunk | ReadChunk)[]): readonly unknown[] {
    return chunks.map((written) => ("chunk" in written ? written.chunk : last.replaced(written.message)));
  }

  /** Returns the deltas of a piece of text, or `undefined` if it contains anything else. */
  #texts(piece: Piece, chunk: unknown): readonly Delta[] | undefined {
    const { message, key } = piece;
    const texts = this.#messages.get(key) ?? { chunks: new ChunkStream(`${key} `), last: piece };
    const deltas = texts.chunks.read({ message, chunk });
    if (!deltas.every((delta) => delta.type === "part_end" || (delta.type === "part" && delta.part.type === "text"))) {
      return undefined;
    }
    texts.last = piece;
    this.#messages.set(key, texts);
    this.texts = true;
    for (const delta of deltas) {
      if (delta.type === "part_end") this.#open.delete(delta.at);
      if (delta.type !== "part") continue;
      this.#parts.set(delta.at, texts);
      this.#open.set(delta.at, piece);
    }
    return deltas;
  }

  /** Returns the ends of the parts that are complete when this chunk arrives. */
  #ends(found: Found): readonly Delta[] {
    const ends: Delta[] = [];
    for (const [at, piece] of this.#open) {
      if (!isOver(piece, found)) continue;
      this.#open.delete(at);
      ends.push({ type: "part_end", at });
    }
    return ends;
  }
}
