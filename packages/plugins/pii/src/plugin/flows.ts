import type { Delta, Emit } from "@suite/core";
import type { HeldText } from "@suite/core/parts";
import type { Tally } from "../redact/tally.js";
import type { At, Guard } from "./guard.js";

/** A stream that a text or the JSON of arguments goes through. */
export interface FlowStream {
  /** The findings in it. */
  readonly tally: Tally;
  /** The amount of text that has come and is held back, in UTF-16 units. */
  readonly undecided: number;
  push(chunk: string): string;
  end(): string;
}

/** A flow of the pieces of one part on their way out. */
export interface Flow extends HeldText {
  readonly tally: Tally;
  push(piece: Piece, emit: Emit<Delta>): void;
}

/** A text in pieces. A piece of which nothing was changed is passed on itself, also where it was held back for a while. */
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

  /** @param notes how much was noted before: where something was found, no piece is what it was. */
  #give(out: string, notes: number, emit: Emit<Delta>): void {
    const rest = this.tally.notes === notes ? this.#held.pass(out, emit) : out;
    if (rest !== "") emit(this.#pieceOf(rest));
  }
}

/** A text part in pieces. */
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
    // A part of which nothing is left still has its place among the parts.
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

/** The arguments of a tool call, as JSON text in pieces. The call itself came before. */
export class ArgumentsFlow extends PiecesFlow implements Flow {
  constructor(at: string, stream: FlowStream) {
    super(stream, (json) => ({ type: "arguments", at, json }));
  }
}

const textPiece = (at: string, content: string): Delta => ({ type: "part", at, part: { type: "text", content } });

/** A text or JSON stream that a guard watches. */
interface Inner {
  push(chunk: string): string;
  end(): string;
  release(): string;
  readonly undecided: number;
}

/** Gives out what a guard lets through: treated text; in monitor mode, or once the rules failed and it is open, the text as it came. */
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

  /** Whether something was taken out. */
  get changed(): boolean {
    return this.#guard.enforced && !this.tally.empty;
  }

  /** The amount of text that has come and is held back, in UTF-16 units. */
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

/** One piece of a text: what it says, and the delta it came in, which is passed on itself where nothing changes. */
export interface Piece {
  readonly content: string;
  readonly signature?: string | undefined;
  readonly delta: Delta;
}

/**
 * The pieces of a text of which nothing has come out yet. Where their text comes out as it came, so do they: whoever made
 * them need not make others, and the answer keeps the pieces that it had.
 */
class HeldPieces {
  readonly #pieces: Piece[] = [];

  get none(): boolean {
    return this.#pieces.length === 0;
  }

  add(piece: Piece): void {
    this.#pieces.push(piece);
  }

  /** Passes on the pieces that a text begins with. @returns the rest of the text */
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

  /** Forgets the pieces of which something has come out. @param undecided how much of the text is held back */
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
