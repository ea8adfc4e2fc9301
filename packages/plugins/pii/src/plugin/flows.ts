import type { Delta, Emit } from "@suite/core";
import type { HeldText } from "@suite/core/parts";
import type { Tally } from "../redact/tally.js";
import type { At, Guard } from "./guard.js";

/** A stream that processes text, or the JSON of tool arguments. */
export interface FlowStream {
  /** The findings in the stream. */
  readonly tally: Tally;
  /** The length of the text that was received and is held back, in UTF-16 units. */
  readonly undecided: number;
  push(chunk: string): string;
  end(): string;
}

/** Processes the chunks of one part. */
export interface Flow extends HeldText {
  readonly tally: Tally;
  push(piece: Piece, emit: Emit<Delta>): void;
}

/**
 * Processes text in chunks. Unchanged chunks are passed on as the same objects, even if they were held back for a
 * while.
 */
class PiecesFlow {
  readonly #stream: FlowStream;
  readonly #pieceOf: (content: string) => Delta;
  readonly #held = new HeldPieces();

  constructor(stream: FlowStream, pieceOf: (content: string) => Delta) {
    this.#stream = stream;
    this.#pieceOf = pieceOf;
  }

  get tally(): Tally {
    return this.#stream.tally;
  }

  get undecided(): number {
    return this.#stream.undecided;
  }

  push(piece: Piece, emit: Emit<Delta>): void {
    const { notes } = this.tally;
    const out = this.#stream.push(piece.content);
    if (out === piece.content && (out === "" || this.#held.none)) {
      emit(piece.delta);
      return;
    }
    this.#held.add(piece);
    this.#give(out, notes, emit);
    this.#held.keep(this.undecided);
  }

  end(emit: Emit<Delta>): void {
    const { notes } = this.tally;
    this.#give(this.#stream.end(), notes, emit);
  }

  /** @param notes the number of findings before. If there are new ones, the chunks have changed. */
  #give(out: string, notes: number, emit: Emit<Delta>): void {
    const rest = this.tally.notes === notes ? this.#held.pass(out, emit) : out;
    if (rest !== "") emit(this.#pieceOf(rest));
  }
}

/** Processes a text part in chunks. */
export class TextFlow extends PiecesFlow implements Flow {
  readonly #at: string;
  #appeared = false;

  constructor(at: string, stream: FlowStream) {
    super(stream, (content) => textPiece(at, content));
    this.#at = at;
  }

  override push(piece: Piece, emit: Emit<Delta>): void {
    super.push(piece, this.#noting(emit));
  }

  override end(emit: Emit<Delta>): void {
    super.end(this.#noting(emit));
    // Emit a part even if all its text was removed, so that the order of parts stays.
    if (!this.#appeared) emit(textPiece(this.#at, ""));
  }

  #noting(emit: Emit<Delta>): Emit<Delta> {
    if (this.#appeared) return emit;
    return (delta) => {
      this.#appeared = true;
      return emit(delta);
    };
  }
}

/** Processes the arguments of a tool call, as JSON in chunks. The call itself was emitted before. */
export class ArgumentsFlow extends PiecesFlow implements Flow {
  constructor(at: string, stream: FlowStream) {
    super(stream, (json) => ({ type: "arguments", at, json }));
  }
}

const textPiece = (at: string, content: string): Delta => ({ type: "part", at, part: { type: "text", content } });

/** A text or JSON stream that a guard checks. */
interface Inner {
  push(chunk: string): string;
  end(): string;
  release(): string;
  readonly undecided: number;
}

/**
 * Emits the text that a guard allows: treated text, or the original text in monitor mode or after the rules failed with
 * `onError: "open"`.
 */
export class GuardedStream {
  readonly tally: Tally;
  readonly #inner: Inner;
  readonly #guard: Guard;
  readonly #at: At;
  #failed = false;

  constructor(inner: Inner, tally: Tally, guard: Guard, at: At) {
    this.#inner = inner;
    this.tally = tally;
    this.#guard = guard;
    this.#at = at;
  }

  /** True if something was removed. */
  get changed(): boolean {
    return this.#guard.enforced && !this.tally.empty;
  }

  /** The length of the text that was received and is held back, in UTF-16 units. */
  get undecided(): number {
    return this.#failed || !this.#guard.enforced ? 0 : this.#inner.undecided;
  }

  push(chunk: string): string {
    return this.#failed ? chunk : this.#step(() => this.#inner.push(chunk), chunk);
  }

  end(): string {
    return this.#failed ? "" : this.#step(() => this.#inner.end(), "");
  }

  #step(step: () => string, chunk: string): string {
    let out: string;
    try {
      out = step();
    } catch (error) {
      this.#failed = true;
      this.#guard.fail(this.#at, error);
      out = this.#inner.release();
    }
    if (!this.#guard.enforced) return chunk;
    if (this.tally.blocked.length > 0) this.#guard.decide(this.#at, this.tally);
    return out;
  }
}

/** A chunk of text with its delta. The delta is passed on if the text does not change. */
export interface Piece {
  readonly content: string;
  readonly signature?: string | undefined;
  readonly delta: Delta;
}

/**
 * Keeps chunks that were not emitted yet. If their text is emitted unchanged, the original chunks are emitted, so that
 * no new ones are created and the answer keeps its chunks.
 */
class HeldPieces {
  readonly #pieces: Piece[] = [];

  get none(): boolean {
    return this.#pieces.length === 0;
  }

  add(piece: Piece): void {
    this.#pieces.push(piece);
  }

  /**
   * Emits the chunks at the beginning of the text.
   * @returns the rest of the text
   */
  pass(text: string, emit: Emit<Delta>): string {
    let end = 0;
    let passed = 0;
    for (const { content, delta } of this.#pieces) {
      if (!text.startsWith(content, end)) break;
      end += content.length;
      passed++;
      emit(delta);
    }
    this.#pieces.splice(0, passed);
    return text.slice(end);
  }

  /**
   * Drops the chunks that were emitted, at least in part.
   * @param undecided the length of the text that is held back
   */
  keep(undecided: number): void {
    let held = 0;
    let first = this.#pieces.length;
    while (first > 0) {
      held += this.#pieces[first - 1]?.content.length ?? 0;
      if (held > undecided) break;
      first--;
    }
    this.#pieces.splice(0, first);
  }
}
