import type { Delta, Emit } from "@suite/core";
import { Tally } from "../redact/tally.js";
import type { Flow, GuardedStream, Piece } from "./flows.js";

/**
 * Processes a reasoning part in chunks. The signature comes last, and signed text must be passed on verbatim or not at
 * all. So chunks flow until the first finding, and are then held back. Without a signature they are emitted, treated,
 * at the end. With one, they and the signature are dropped.
 */
export class ReasoningFlow implements Flow {
  readonly tally = new Tally();
  readonly #at: string;
  readonly #open: () => GuardedStream;
  #stream: GuardedStream;
  #waiting = "";
  #withheld = 0;
  #removed = false;

  constructor(at: string, open: () => GuardedStream) {
    this.#at = at;
    this.#open = open;
    this.#stream = open();
  }

  get undecided(): number {
    if (this.#removed) return 0;
    return this.#withheld > 0 ? this.#withheld : this.#stream.undecided;
  }

  push({ content, signature, delta }: Piece, emit: Emit<Delta>): void {
    if (this.#removed) return;
    const held = this.#stream.undecided;
    const out = this.#stream.push(content) + (signature === undefined ? "" : this.#close());
    const { changed } = this.#stream;
    if (signature !== undefined) this.#stream = this.#open();
    if (!changed) {
      if (out === content) emit(delta);
      else if (out !== "" || signature !== undefined) emit(this.#piece(out, signature));
    } else if (signature === undefined) {
      this.#withheld += content.length + (this.#withheld === 0 ? held : 0);
      this.#waiting += out;
    } else this.#removed = true;
  }

  end(emit: Emit<Delta>): void {
    if (this.#removed) return;
    const rest = this.#waiting + this.#close();
    this.#withheld = 0;
    if (rest !== "") emit(this.#piece(rest));
  }

  #close(): string {
    const rest = this.#stream.end();
    this.tally.merge(this.#stream.tally);
    return rest;
  }

  #piece(content: string, signature?: string): Delta {
    const part = { type: "reasoning" as const, content, ...(signature !== undefined && { signature }) };
    return { type: "part", at: this.#at, part };
  }
}
