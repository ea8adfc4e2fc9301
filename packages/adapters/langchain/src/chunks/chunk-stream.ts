import type { UsageMetadata } from "@langchain/core/messages";
import type { ChatGenerationChunk } from "@langchain/core/outputs";
import type { Delta, Usage } from "@suite/core";
import { deltasOf } from "./read.js";
import { newStreamState, type StreamState } from "./shape.js";
import { chunkOf } from "./write.js";

/** A chunk, and the deltas that it is made of. */
interface Source {
  readonly chunk: ChatGenerationChunk;
  readonly deltas: readonly Delta[];
}

/**
 * One streamed answer of a chat model on its way to the layers and back. A chunk of which no layer touched anything comes
 * out as the very same object; anything else is made anew out of what was let through.
 */
export class ChunkStream {
  readonly #state: StreamState;
  readonly #sources = new WeakMap<Delta, Source>();
  readonly #counts = new WeakMap<Usage, UsageMetadata>();
  /** Deltas of one chunk, of which more may follow. */
  #open: { readonly source: Source; seen: number } | undefined;

  /** @param prefix of the positions of its parts, where several answers share a stream. */
  constructor(prefix = "") {
    this.#state = newStreamState(prefix);
  }

  /** A chunk for the layers. */
  read(chunk: ChatGenerationChunk): readonly Delta[] {
    const source = { chunk, deltas: deltasOf(chunk, this.#state) };
    const { counted } = this.#state;
    for (const delta of source.deltas) {
      this.#sources.set(delta, source);
      if (delta.type === "finish" && delta.usage && counted) this.#counts.set(delta.usage, counted);
    }
    return source.deltas;
  }

  /** What comes from the layers, as chunks. */
  write(delta: Delta): readonly ChatGenerationChunk[] {
    const source = this.#sources.get(delta);
    const open = this.#open;
    if (open !== undefined && source === open.source && source.deltas[open.seen] === delta) return this.#next(open);
    const before = this.rest();
    if (source === undefined || source.deltas[0] !== delta) return [...before, ...this.#anew(delta)];
    this.#open = { source, seen: 0 };
    return [...before, ...this.#next(this.#open)];
  }

  /** Nothing more comes. */
  rest(): readonly ChatGenerationChunk[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : open.source.deltas.slice(0, open.seen).flatMap((delta) => this.#anew(delta));
  }

  #next(open: { readonly source: Source; seen: number }): readonly ChatGenerationChunk[] {
    if (++open.seen < open.source.deltas.length) return [];
    this.#open = undefined;
    return [open.source.chunk];
  }

  #anew(delta: Delta): readonly ChatGenerationChunk[] {
    const chunk = chunkOf(delta, this.#state, { of: (usage) => this.#counts.get(usage) });
    return chunk === undefined ? [] : [chunk];
  }
}
