import type { Automaton } from "./automaton.js";

/** Units of a text that are read as bytes at once: as long as a stretch that is held, and a little more. */
const most = 4608;
/** Texts that are shorter are read unit by unit. */
const fewest = 32;
const encoder = new TextEncoder();

/** The bytes of a part of a text: one buffer, for one text at a time. */
const bytes = new Uint8Array(most);
let taken = false;

/**
 * Reads a text through an automaton, from one end of a site to the next. A part that is ASCII is read as bytes, which takes a
 * fraction of the time of `charCodeAt`, and calm characters of it are passed over.
 */
export class Reader {
  /** The state of the automaton behind what was read. */
  state = 0;
  readonly #automaton: Automaton;
  readonly #text: string;
  /** The part that is in the buffer; none of it where both are 0. */
  #from = 0;
  #to = 0;

  constructor(automaton: Automaton, text: string) {
    this.#automaton = automaton;
    this.#text = text;
  }

  /** Reads `[from, to)` as bytes from now on, where it is ASCII and the buffer is free. Ends with `release`. */
  take(from: number, to: number): void {
    const length = to - from;
    if (taken || length < fewest || length > most) return;
    const part = from === 0 && to === this.#text.length ? this.#text : this.#text.slice(from, to);
    const { read, written } = encoder.encodeInto(part, bytes);
    if (read !== length || written !== length) return;
    taken = true;
    this.#from = from;
    this.#to = to;
  }

  /** Gives the buffer back, where this reader has it. */
  release(): void {
    if (this.#to > 0) taken = false;
    this.#from = this.#to = 0;
  }

  /** Goes on from `from` to the next unit at which a site ends, or may end; `to` where there is none. Stands before that unit. */
  next(from: number, to: number): number {
    return from >= this.#from && to <= this.#to ? this.#nextByte(from, to) : this.#nextUnit(from, to);
  }

  /** The loop over the text: one step of the automaton a unit. */
  #nextUnit(from: number, to: number): number {
    const { table, classes } = this.#automaton;
    const text = this.#text;
    let { state } = this;
    let at = from;
    for (; at < to; at++) {
      const next = table[state + (classes[text.charCodeAt(at)] ?? 0)] ?? 0;
      if (next < 0) break;
      state = next;
    }
    this.state = state;
    return at;
  }

  /** The loop over the bytes, like that over the text. Of calm characters the last few say to which state all of them lead. */
  #nextByte(from: number, to: number): number {
    const { table, classes, calm, calmUntil, memory } = this.#automaton;
    const end = to - this.#from;
    let { state } = this;
    let at = from - this.#from;
    while (at < end) {
      if (state < calmUntil) {
        let again = at;
        while (at < end && calm[bytes[at] ?? 0] === 1) at++;
        if (at - again > memory) {
          again = at - memory;
          state = 0;
        }
        for (; again < at; again++) state = table[state + (classes[bytes[again] ?? 0] ?? 0)] ?? 0;
        if (at === end) break;
      }
      const next = table[state + (classes[bytes[at] ?? 0] ?? 0)] ?? 0;
      if (next < 0) break;
      state = next;
      at++;
    }
    this.state = state;
    return at + this.#from;
  }
}

/** Whether no site ends in a text. */
export function hasNoSite(automaton: Automaton, text: string): boolean {
  const reader = new Reader(automaton, text);
  for (let from = 0; from < text.length; from += most) {
    const to = Math.min(from + most, text.length);
    reader.take(from, to);
    const at = reader.next(from, to);
    reader.release();
    if (at < to) return false;
  }
  return true;
}
