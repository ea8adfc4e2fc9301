import type { Delta, Emit } from "@suite/core";
import type { HeldText } from "@suite/core/parts";
import type { Tally } from "../redact/tally.js";
import { HeldPieces, type Piece } from "./held-pieces.js";

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
