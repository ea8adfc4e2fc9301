/** A line of a file, without its newline. */
export interface Line {
  readonly bytes: Uint8Array;
  /** The offset of its first byte in the file. */
  readonly offset: number;
  /** False for a rest without a newline at the end, and for a line above the maximum length. */
  readonly complete: boolean;
}

const NEWLINE = 0x0a;
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Splits the bytes of a file into lines, regardless of the size of the pieces. */
export class LineReader {
  /** The beginning of a line whose end has not been read yet. */
  #begun: Uint8Array[] = [];
  #begunBytes = 0;
  #offset = 0;

  /** Returns the lines that end in this piece. */
  *push(piece: Uint8Array): Generator<Line> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      yield this.#line(piece.subarray(start, end), true);
      start = end + 1;
    }
    if (start < piece.length) {
      this.#begun.push(piece.subarray(start));
      this.#begunBytes += piece.length - start;
    }
    if (this.#begunBytes > MAX_LINE_BYTES) yield* this.end();
  }

  /** Returns the rest without a newline, if any. */
  *end(): Generator<Line> {
    if (this.#begunBytes > 0) yield this.#line(new Uint8Array(0), false);
  }

  #line(last: Uint8Array, complete: boolean): Line {
    const bytes = this.#begunBytes === 0 ? last : joined([...this.#begun, last], this.#begunBytes + last.length);
    const line = { bytes, offset: this.#offset, complete };
    this.#offset += bytes.length + (complete ? 1 : 0);
    this.#begun = [];
    this.#begunBytes = 0;
    return line;
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
