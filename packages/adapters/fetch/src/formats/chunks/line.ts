import type { Delta, FinishDelta } from "@suite/core";
import type { ServerEvent } from "../../sse/event.js";

/** An event that ends an answer, or a choice of it, while text may be held back. */
export interface ChunkEnd {
  /** The event without what it says, which goes through the layers. */
  readonly silent: () => ServerEvent;
  /** The event as it came, where it says nothing. */
  readonly event: ServerEvent | undefined;
}

interface Chunk<Said> {
  readonly event: ServerEvent;
  readonly said: Said;
  readonly deltas: readonly Delta[];
  readonly end: ChunkEnd | undefined;
  through: number;
}

/** The writer of what comes out of the layers, of one protocol. */
export interface ChunkWriter<Said> {
  /** A chunk goes out as it came. */
  pass(event: ServerEvent, said: Said): void;
  /** A piece that a layer made, or that came of a chunk which did not come through whole. */
  fresh(delta: Delta): void;
}

/**
 * The chunks of an answer whose every event is one chunk of several pieces. A chunk goes out as it came where all of it
 * comes through in order; of any other, what did. What ends the answer waits until no text is held back.
 */
export class ChunkLine<Said> {
  readonly #writer: ChunkWriter<Said>;
  readonly #chunks = new WeakMap<Delta, Chunk<Said>>();
  #open: Chunk<Said> | undefined;
  #ends: ChunkEnd[] = [];
  /** The deltas that have not come through as they were. */
  readonly #missing = new Set<Delta>();
  /** A finish mark that is no chunk's own. */
  changed: FinishDelta | undefined;

  constructor(writer: ChunkWriter<Said>) {
    this.#writer = writer;
  }

  /** Whether all that was said has come through as it was. */
  get untouched(): boolean {
    return this.#missing.size === 0;
  }

  /** A chunk has come. One that says nothing and ends nothing does not get here. */
  add(event: ServerEvent, said: Said, deltas: readonly Delta[], end?: ChunkEnd): void {
    const chunk = { event, said, deltas, end, through: 0 };
    for (const delta of deltas) {
      this.#chunks.set(delta, chunk);
      if (says(delta)) this.#missing.add(delta);
    }
    if (end !== undefined) this.#ends.push(end);
  }

  /** A chunk that must not go out before what is held back. */
  hold(event: ServerEvent): void {
    this.#ends.push({ event, silent: () => event });
  }

  write(delta: Delta): void {
    this.#missing.delete(delta);
    const chunk = this.#chunks.get(delta);
    if (chunk !== this.#open) this.#part();
    if (chunk === undefined || chunk.deltas[chunk.through] !== delta) {
      this.#part();
      this.#fresh(delta, chunk);
      return;
    }
    this.#open = chunk;
    if (++chunk.through < chunk.deltas.length) return;
    const { end } = chunk;
    if (end !== undefined && (!this.untouched || this.#ends[0] !== end)) {
      this.#part();
      return;
    }
    this.#open = undefined;
    if (end !== undefined) this.#ends.shift();
    this.#writer.pass(chunk.event, chunk.said);
  }

  /** Ends the line: gives the ends that wait, for whoever sends them. */
  end(): readonly ServerEvent[] {
    this.#part();
    const ends = this.#ends.map(({ event, silent }) => event ?? silent());
    this.#ends = [];
    return ends;
  }

  /** Sends those pieces of a broken-up chunk that came through. */
  #part(): void {
    const chunk = this.#open;
    this.#open = undefined;
    for (const delta of chunk?.deltas.slice(0, chunk.through) ?? []) this.#fresh(delta, chunk);
  }

  #fresh(delta: Delta, chunk: Chunk<Said> | undefined): void {
    if (delta.type === "finish") {
      if (chunk === undefined) this.changed = { ...this.changed, ...delta };
    } else if (delta.type !== "part_end") this.#writer.fresh(delta);
  }
}

const says = ({ type }: Delta): boolean => type !== "part_end" && type !== "finish";
