import type { Line } from "./line-reader.js";

/** Consecutive lines of a file, held as their bytes and their ends, so that very many short lines use little memory. */
export class HeldLines implements Iterable<Line> {
  #bytes = new Uint8Array(0);
  #ends: number[] = [];
  /** The offset of the first line in the file. */
  #offset = 0;
  /** False if the last line has no newline. All lines before it have one. */
  #complete = true;

  /** The number of lines. */
  get length(): number {
    return this.#ends.length;
  }

  /** Adds the line that follows in the file. Its bytes are copied. */
  push({ bytes, offset, complete }: Line): void {
    const start = this.#ends.at(-1) ?? 0;
    if (start === 0 && this.length === 0) this.#offset = offset;
    const end = start + bytes.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(4096, 2 * end));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, start);
    this.#ends.push(end);
    this.#complete = complete;
  }

  /** Returns a line. Its bytes are a view, valid until `clear`. */
  at(index: number): Line {
    const start = this.#ends[index - 1] ?? 0;
    const complete = this.#complete || index < this.length - 1;
    return { bytes: this.#bytes.subarray(start, this.#ends[index]), offset: this.#offset + start + index, complete };
  }

  *[Symbol.iterator](): Generator<Line> {
    for (let index = 0; index < this.length; index++) yield this.at(index);
  }

  /** Returns the index of the first line that passes a test, or -1. */
  findIndex(test: (line: Line) => boolean): number {
    let index = 0;
    for (const line of this) {
      if (test(line)) return index;
      index++;
    }
    return -1;
  }

  /** Removes all lines. */
  clear(): void {
    if (this.length > 0) this.#ends = [];
    this.#complete = true;
  }
}
