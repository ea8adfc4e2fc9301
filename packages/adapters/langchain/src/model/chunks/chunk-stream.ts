import type { AIMessageChunk, UsageMetadata } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import type { Delta, Redactor, Usage } from "@suite/core";
import { PieceBoundaries } from "@suite/core/framework";
import type { EventDelta } from "@suite/core/messages";
import { AloneBlocks } from "./alone.js";
import { hasLogprobs, withoutLogprobs } from "./fields.js";
import { deltasOf, type ReadChunk } from "./read.js";
import { newStreamState, type StreamState } from "./shape.js";
import { SignedParts } from "./signed-parts.js";
import { UnchangedTexts } from "./unchanged.js";
import { chunkOf } from "./write.js";

/** A chunk and the deltas that were made from it. */
interface Source<Chunk> {
  readonly chunk: Chunk;
  readonly deltas: readonly Delta[];
}

/**
 * One streamed answer of a chat model on its way to the layers and back. A chunk that no layer changed is emitted as
 * the same object. Others are created from the deltas that the layers passed.
 */
export class ChunkStream<Chunk extends ReadChunk = ChatGenerationChunk> {
  readonly #state: StreamState;
  readonly #alone: AloneBlocks;
  readonly #sources = new WeakMap<Delta, Source<Chunk>>();
  /** The provider's count in the chunk that reported a usage. LangChain adds the counts of all chunks. */
  readonly #counts = new WeakMap<Usage, UsageMetadata>();
  /** The chunks of finish deltas. */
  readonly #finishes = new WeakMap<Delta, Chunk>();
  /** The chunks that were emitted unchanged. */
  readonly #left = new WeakSet<object>();
  readonly #texts = new UnchangedTexts();
  readonly #boundaries = new PieceBoundaries();
  readonly #signed: SignedParts;
  /** Held token probabilities. They repeat text, so they wait until it is known whether a layer changes it. */
  readonly #held: EventDelta[] = [];
  /** A source whose deltas are not complete yet. */
  #open: { readonly source: Source<Chunk>; seen: number } | undefined;

  /**
   * @param prefix the prefix of the positions of its parts, if several answers share a stream.
   * @param redactor the redactor of the run.
   */
  constructor(prefix = "", redactor?: Redactor) {
    this.#signed = new SignedParts(redactor);
    this.#state = newStreamState(prefix);
    this.#alone = new AloneBlocks(this.#state);
  }

  /** Converts a chunk to deltas for the layers. */
  read(chunk: Chunk): readonly Delta[] {
    const all = deltasOf(chunk, this.#state);
    // Ends of parts are not in any chunk, and the finish is last for layers: both are for the layers only.
    const source = { chunk, deltas: all.filter(({ type }) => type !== "part_end" && type !== "finish") };
    for (const delta of all) {
      if (delta.type === "finish") this.#finishes.set(delta, chunk);
      if (delta.type === "part_end") this.#boundaries.came(delta);
    }
    const { usage_metadata: counted } = chunk.message as AIMessageChunk;
    for (const delta of source.deltas) {
      this.#sources.set(delta, source);
      this.#texts.came(delta);
      this.#signed.came(delta);
      this.#boundaries.came(delta);
    }
    for (const delta of all) {
      if (delta.type === "finish" && delta.usage && counted) this.#counts.set(delta.usage, counted);
    }
    return all;
  }

  /** Returns the chunks for a delta that left the layers. */
  write(delta: Delta): readonly (Chunk | ChatGenerationChunk)[] {
    const withheld = this.#signed.left(delta);
    if (withheld.length > 0)
      return [...this.#writeAll([...this.#boundaries.end(), ...withheld]), ...this.#leave(delta)];
    return this.#leave(delta);
  }

  #leave(delta: Delta): readonly (Chunk | ChatGenerationChunk)[] {
    const pieces = this.#boundaries.left(delta);
    const [only] = pieces;
    return pieces.length === 1 && only !== undefined ? this.#write(only) : this.#writeAll(pieces);
  }

  #writeAll(deltas: readonly Delta[]): readonly (Chunk | ChatGenerationChunk)[] {
    return deltas.flatMap((delta) => this.#write(delta));
  }

  #write(delta: Delta): readonly (Chunk | ChatGenerationChunk)[] {
    // It was emitted with its chunk.
    if (delta.type === "finish" && this.#left.has(this.#finishes.get(delta) ?? delta)) return [];
    if (delta.type === "part_end") return this.#chunksFor(this.#alone.rest());
    this.#texts.left(delta);
    const source = this.#sources.get(delta);
    const open = this.#open;
    if (open !== undefined && source === open.source && source.deltas[open.seen] === delta) return this.#next(open);
    const before = this.#reopened();
    if (source === undefined || source.deltas[0] !== delta)
      return [...before, ...this.#chunksFor(this.#alone.write(delta))];
    const rest = this.#chunksFor(this.#alone.rest());
    this.#open = { source, seen: 0 };
    const chunks = this.#next(this.#open);
    return before.length === 0 && rest.length === 0 ? chunks : [...before, ...rest, ...chunks];
  }

  /** Returns the chunks that are left at the end. */
  rest(): readonly (Chunk | ChatGenerationChunk)[] {
    const rest = [
      ...this.#writeAll([...this.#boundaries.end(), ...this.#signed.end()]),
      ...this.#reopened(),
      ...this.#chunksFor(this.#alone.rest()),
    ];
    const { unchanged } = this.#texts;
    const held = this.#held
      .splice(0)
      .map((delta) => (unchanged ? delta : { ...delta, value: withoutLogprobs(delta.value) }));
    return [...rest, ...held.flatMap((delta) => this.#chunk(delta))];
  }

  /** Returns the emitted deltas of a chunk that is not emitted whole. */
  #reopened(): readonly ChatGenerationChunk[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    return this.#chunksFor(open.source.deltas.slice(0, open.seen).flatMap((delta) => this.#alone.write(delta)));
  }

  #next(open: { readonly source: Source<Chunk>; seen: number }): readonly Chunk[] {
    if (++open.seen < open.source.deltas.length) return [];
    this.#open = undefined;
    this.#left.add(open.source.chunk);
    this.#alone.passed(open.source.deltas);
    return [open.source.chunk];
  }

  #chunksFor(deltas: readonly Delta[]): readonly ChatGenerationChunk[] {
    return deltas.flatMap((delta) => {
      if (delta.type !== "event" || !hasLogprobs(delta.value)) return this.#chunk(delta);
      this.#held.push(delta);
      return [];
    });
  }

  #chunk(delta: Delta): readonly ChatGenerationChunk[] {
    return [chunkOf(delta, this.#state, { of: (usage) => this.#counts.get(usage) }) ?? []].flat();
  }
}
