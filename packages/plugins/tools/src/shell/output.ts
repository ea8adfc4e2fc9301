import type { Redactor } from "@suite/core";

/** The maximum number of characters of a line kept as one piece. */
const longestPiece = 4096;

/** A part of a line. A whole line ends with its newline. */
interface Piece {
  readonly text: string;
  /** True if the piece begins a line. */
  readonly begins: boolean;
}

/** The limits of a command's output. */
export interface OutputBounds {
  readonly maxLines: number;
  readonly maxCharacters: number;
}

/**
 * Keeps the first and the last lines of a command's output, one half each. It holds at most `maxCharacters` characters,
 * plus up to 4,096 of an unfinished line for each stream.
 */
export class Output {
  readonly #bounds: OutputBounds;
  readonly #head: Piece[] = [];
  readonly #tail: Piece[] = [];
  readonly #begun = { out: "", err: "" };
  readonly #within = { out: false, err: false };
  #headRoom: { readonly lines: number; readonly characters: number };
  #tailCharacters = 0;
  /** The number of lines and characters printed, shown or not. */
  lines = 0;
  characters = 0;
  cut = false;

  constructor(bounds: OutputBounds) {
    this.#bounds = bounds;
    this.#headRoom = { lines: Math.ceil(bounds.maxLines / 2), characters: Math.ceil(bounds.maxCharacters / 2) };
  }

  add(stream: "out" | "err", text: string): void {
    this.characters += text.length;
    let rest = this.#begun[stream] + text;
    if (this.cut && rest.length > this.#bounds.maxCharacters) rest = this.#skip(stream, rest);
    for (;;) {
      const newline = rest.indexOf("\n");
      const end = newline < 0 || newline >= longestPiece ? longestPiece : newline + 1;
      if (newline < 0 && rest.length < longestPiece) break;
      this.#keep(stream, rest.slice(0, end));
      rest = rest.slice(end);
    }
    this.#begun[stream] = rest;
  }

  /** Returns the text for the model when the command has ended. */
  text(redactor: Redactor | undefined): string {
    for (const stream of ["out", "err"] as const) {
      if (this.#begun[stream] !== "") this.#keep(stream, this.#begun[stream]);
      this.#begun[stream] = "";
    }
    const redacted = (pieces: readonly Piece[]): string => {
      const text = pieces.map((piece) => piece.text).join("");
      return redactor === undefined ? text : redactor.redact(text);
    };
    if (!this.cut) return redacted([...this.#head, ...this.#tail]).replace(/\n$/, "");
    // A line at the cut is dropped completely: a redactor might not recognize half of a value.
    while (this.#head.length > 0 && !this.#head.at(-1)?.text.endsWith("\n")) this.#head.pop();
    const first = this.#tail.findIndex((piece) => piece.begins);
    const tail = first < 0 ? [] : this.#tail.slice(first);
    const note = `[… the middle of ${this.lines} lines and ${this.characters} characters is left out here …]\n`;
    return `${redacted(this.#head)}${note}${redacted(tail)}`.replace(/\n$/, "");
  }

  /** Drops pieces that can no longer be shown, so that endless output costs little. */
  #skip(stream: "out" | "err", text: string): string {
    const at = text.length - this.#bounds.maxCharacters;
    let newlines = 0;
    for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) newlines++;
    const within = text[at - 1] !== "\n";
    this.lines += newlines - (this.#within[stream] ? 1 : 0) + (within ? 1 : 0);
    this.#within[stream] = within;
    this.#tail.length = 0;
    this.#tailCharacters = 0;
    return text.slice(at);
  }

  #keep(stream: "out" | "err", chunk: string): void {
    const begins = !this.#within[stream];
    this.#within[stream] = !chunk.endsWith("\n");
    if (begins) this.lines++;
    const text = begins && stream === "err" ? `[stderr] ${chunk}` : chunk;
    const piece: Piece = { text, begins };
    if (!this.cut && this.#tail.length === 0 && this.#headRoom.lines > 0 && this.#headRoom.characters >= text.length) {
      this.#headRoom = {
        lines: this.#headRoom.lines - (begins ? 1 : 0),
        characters: this.#headRoom.characters - text.length,
      };
      this.#head.push(piece);
      return;
    }
    this.#tail.push(piece);
    this.#tailCharacters += text.length;
    const { maxCharacters, maxLines } = this.#bounds;
    while (
      this.#tailCharacters > Math.floor(maxCharacters / 2) ||
      this.#tail.length > Math.max(1, Math.floor(maxLines / 2))
    ) {
      const dropped = this.#tail.shift();
      if (dropped === undefined) break;
      this.#tailCharacters -= dropped.text.length;
      this.cut = true;
    }
  }
}
