import type { Delta, Emit } from "@suite/core";
import type { HeldText } from "@suite/core/parts";
import type { Tally } from "../redact/tally.js";

/** A stream that a text or the JSON of arguments goes through. */
export interface FlowStream {
  /** What was found in it. */
  readonly tally: Tally;
  /** How much of what came is held back, in UTF-16 units. */
  readonly undecided: number;
  push(chunk: string): string;
  end(): string;
}

/** One piece: its text, and the delta it came in, which is passed on itself where nothing changes. */
export interface Piece {
  readonly content: string;
  readonly signature?: string | undefined;
  readonly delta: Delta;
}

/** A flow of the pieces of one part on their way out. */
export interface Flow extends HeldText {
  readonly tally: Tally;
  push(piece: Piece, emit: Emit<Delta>): void;
}

/** A text part in pieces. */
export class TextFlow implements Flow {
  readonly #at: string;
  readonly #stream: FlowStream;
  #appeared = false;

  constructor(at: string, stream: FlowStream) {
    this.#at = at;
    this.#stream = stream;
  }

  get tally(): Tally {
    return this.#stream.tally;
  }

  get undecided(): number {
    return this.#stream.undecided;
  }

  push({ content, delta }: Piece, emit: Emit<Delta>): void {
    const out = this.#stream.push(content);
    if (out === content) this.#give(delta, emit);
    else if (out !== "") this.#give(this.#piece(out), emit);
  }

  end(emit: Emit<Delta>): void {
    const out = this.#stream.end();
    // A part of which nothing is left still has its place among the parts.
    if (out !== "" || !this.#appeared) this.#give(this.#piece(out), emit);
  }

  #give(delta: Delta, emit: Emit<Delta>): void {
    this.#appeared = true;
    emit(delta);
  }

  #piece(content: string): Delta {
    return { type: "part", at: this.#at, part: { type: "text", content } };
  }
}

/** The arguments of a tool call, as JSON text in pieces. The call itself came before. */
export class ArgumentsFlow implements Flow {
  readonly #at: string;
  readonly #stream: FlowStream;

  constructor(at: string, stream: FlowStream) {
    this.#at = at;
    this.#stream = stream;
  }

  get tally(): Tally {
    return this.#stream.tally;
  }

  get undecided(): number {
    return this.#stream.undecided;
  }

  push({ content, delta }: Piece, emit: Emit<Delta>): void {
    const json = this.#stream.push(content);
    if (json === content) emit(delta);
    else if (json !== "") emit({ type: "arguments", at: this.#at, json });
  }

  end(emit: Emit<Delta>): void {
    const json = this.#stream.end();
    if (json !== "") emit({ type: "arguments", at: this.#at, json });
  }
}
