import type { Delta, Emit } from "@suite/core";

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
export class HeldPieces {
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
