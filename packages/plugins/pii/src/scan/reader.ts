import type { Automaton } from "./automaton.js";
import type { Calm } from "./calm.js";

/**
 * The maximum number of units that are read as bytes at once: slightly more than the maximum length of a held stretch.
 */
const most = 4608;
/** Shorter strings are read unit by unit. */
const fewest = 32;
const encoder = new TextEncoder();

/** The UTF-8 bytes of a part of a text, and one more. The buffer is shared and serves one text at a time. */
const bytes = new Uint8Array(3 * most + 2);
/** Pairs of these bytes. */
const pairs = new Uint16Array(bytes.buffer);
/** A byte that occurs in no text. Calm characters end before it. */
const ending = 0xff;
let busy = false;

/** The end of the calm characters from `at` of the buffer on. They are passed over two at a time, in half the time. */
function calmEnd(at: number, { single, paired }: Calm): number {
  let end = at;
  if ((end & 1) === 1) {
    if (single[bytes[end] ?? 0] === 0) return end;
    end++;
  }
  let pair = end >> 1;
  while (paired[pairs[pair] ?? 0] === 1) pair++;
  end = pair << 1;
  return single[bytes[end] ?? 0] === 0 ? end : end + 1;
}

/**
 * The number of bytes of a unit, by the first of them: each half of a pair of surrogates has two of the pair's four.
 */
const widthOf = (byte: number): number => (byte < 0x80 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 3 : 2);

/**
 * Reads a text through an automaton, from one end of a site to the next. It reads a part of the text as bytes, which
 * takes a fraction of the time of `charCodeAt`, and skips the calm characters in it.
 */
export class Reader {
  /** The state of the automaton after the text that was read. */
  state = 0;
  /** The index before which it skips sites of recognisers that look at whole stretches. */
  lookedUntil = 0;
  /** True if it skips doubtful sites and stops where a word may begin. */
  wordless = false;
  readonly #automaton: Automaton;
  readonly #text: string;
  /** The part that is in the buffer. Nothing is buffered if both are 0. */
  #from = 0;
  #to = 0;
  /** True if all of the part is ASCII: a byte a unit. */
  #ascii = true;
  /** The unit before which the reading of a part that is not ASCII stands, and its first byte. */
  #unit = 0;
  #byte = 0;

  constructor(automaton: Automaton, text: string) {
    this.#automaton = automaton;
    this.#text = text;
  }

  /** Reads `[from, to)` as bytes from now on, once and in order, if the buffer is free. `release` ends this. */
  load(from: number, to: number): void {
    const length = to - from;
    if (busy || length < fewest || length > most) return;
    const part = from === 0 && to === this.#text.length ? this.#text : this.#text.slice(from, to);
    const { written } = encoder.encodeInto(part, bytes);
    bytes[written] = ending;
    this.#ascii = written === length;
    busy = true;
    this.#unit = from;
    this.#byte = 0;
    this.#from = from;
    this.#to = to;
  }

  /** Releases the buffer if this reader holds it. */
  release(): void {
    if (this.#to > 0) busy = false;
    this.#from = this.#to = 0;
  }

  /**
   * Continues from `from` to the next unit at which a site ends or may end. Returns `to` if it is absent. The state is
   * then the one after the unit.
   */
  next(from: number, to: number): number {
    const automaton = this.#automaton;
    if (this.wordless) return this.#next(from, to, automaton.wordless, automaton.calmWordless);
    if (from >= this.lookedUntil) return this.#next(from, to, automaton.table, automaton.calm);
    const limit = Math.min(this.lookedUntil, to);
    const at = this.#next(from, limit, automaton.stretch, automaton.calm);
    return at < limit ? at : this.#next(limit, to, automaton.table, automaton.calm);
  }

  #next(from: number, to: number, table: Int32Array, calm: Calm): number {
    if (from < this.#from || to > this.#to) return this.#nextUnit(from, to, table);
    return this.#ascii ? this.#nextByte(from, to, table, calm) : this.#nextSequence(from, to, table, calm);
  }

  /** The loop over the text: one step of the automaton a unit. */
  #nextUnit(from: number, to: number, table: Int32Array): number {
    const { classes } = this.#automaton;
    const text = this.#text;
    let { state } = this;
    let at = from;
    let next = 0;
    for (; at < to; at++) {
      next = table[state + (classes[text.charCodeAt(at)] ?? 0)] ?? 0;
      if (next < 0) break;
      state = next;
    }
    this.state = next < 0 ? this.#automaton.stop(state, classes[text.charCodeAt(at)] ?? 0, next) : state;
    return at;
  }

  /**
   * The loop over ASCII bytes, like the loop over the text. The last few calm characters determine the state after all
   * of them.
   */
  #nextByte(from: number, to: number, table: Int32Array, calm: Calm): number {
    const { classes, calmUntil } = this.#automaton;
    const { single } = calm;
    const end = to - this.#from;
    let { state } = this;
    let at = from - this.#from;
    let next = 0;
    while (at < end) {
      if (state < calmUntil && single[bytes[at] ?? 0] === 1) {
        const last = Math.min(calmEnd(at, calm), end);
        state = this.#automaton.afterCalm(state, bytes, at, last, table);
        at = last;
        if (at === end) break;
      }
      next = table[state + (classes[bytes[at] ?? 0] ?? 0)] ?? 0;
      if (next < 0) break;
      state = next;
      at++;
    }
    // One-time work stays outside of the loop, which would otherwise be a third slower.
    this.state = next < 0 ? this.#automaton.stop(state, classes[bytes[at] ?? 0] ?? 0, next) : state;
    return at + this.#from;
  }

  /**
   * The loop over the bytes of a part that is not ASCII, like that over one which is, with several bytes for some
   * units.
   */
  #nextSequence(from: number, to: number, table: Int32Array, calm: Calm): number {
    const { classes, calmUntil } = this.#automaton;
    const { single } = calm;
    const text = this.#text;
    let { state } = this;
    let at = this.#byte;
    if (from > this.#unit) at += widthOf(bytes[at] ?? 0);
    /** The difference between the index in the buffer and the index in the text, in bytes. */
    let extra = at - from;
    let next = 0;
    let unit = 0;
    while (at < to + extra) {
      if (state < calmUntil && single[bytes[at] ?? 0] === 1) {
        const last = Math.min(calmEnd(at, calm), to + extra);
        state = this.#automaton.afterCalm(state, bytes, at, last, table);
        at = last;
        if (at === to + extra) break;
      }
      const byte = bytes[at] ?? 0;
      unit = classes[byte < 0x80 ? byte : text.charCodeAt(at - extra)] ?? 0;
      next = table[state + unit] ?? 0;
      if (next < 0) break;
      state = next;
      extra += widthOf(byte) - 1;
      at += widthOf(byte);
    }
    this.state = next < 0 ? this.#automaton.stop(state, unit, next) : state;
    this.#byte = at;
    this.#unit = at - extra;
    return at - extra;
  }
}
