/** A line of a file, without its newline. */
export interface Line {
  readonly bytes: Uint8Array;
  /** Of its first byte, in the file. */
  readonly offset: number;
  /** False for what stands at the end without a newline, and for a line that is longer than any can be. */
  readonly complete: boolean;
}

const NEWLINE = 0x0a;
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Cuts the bytes of a file into lines, whatever the pieces they come in. */
export class LineReader {
  #rest: Uint8Array = new Uint8Array(0);
  #offset = 0;

  /** The lines that end in this piece. */
  *push(piece: Uint8Array): Generator<Line> {
    const bytes = this.#rest.length === 0 ? piece : join(this.#rest, piece);
    // What was left over has no newline in it.
    let from = this.#rest.length;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE, from); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      yield { bytes: bytes.subarray(start, end), offset: this.#offset, complete: true };
      this.#offset += end + 1 - start;
      start = end + 1;
      from = start;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length > MAX_LINE_BYTES) yield* this.end();
  }

  /** What is left at the end. */
  *end(): Generator<Line> {
    if (this.#rest.length === 0) return;
    yield { bytes: this.#rest, offset: this.#offset, complete: false };
    this.#offset += this.#rest.length;
    this.#rest = new Uint8Array(0);
  }
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
