import { BREAK, DIGIT, isBreak, isInvisiblePair, kinds, SPACE, unitAt } from "./characters.js";
import type { Joins, Recogniser } from "./recogniser.js";

const zero = 0x30;

/**
 * Finds the places at which text can be cut: characters that no match contains. A space is one, unless a recogniser
 * declares that its values contain spaces and the characters on both sides could belong to one value. The same applies
 * to characters that a recogniser bridges.
 *
 * A place to cut remains one if more text follows or if more text before it becomes known. A recogniser never looks
 * across such a place, so a match depends only on the text between two of them, however the text was split.
 */
export class Breaks {
  readonly #before = new Uint32Array(128);
  readonly #after = new Uint32Array(128);
  readonly #joins: readonly Joins[];
  /** The maximum number of consecutive spaces in a value. */
  readonly #widest: number;
  readonly #bridging: readonly Recogniser[];
  /** The characters of ASCII: 1 for those that a recogniser may bridge. */
  readonly #bridged: Uint8Array;

  /** @param recognisers have at most 32 joins together. A join that several recognisers share counts once. */
  constructor(recognisers: readonly Recogniser[]) {
    this.#joins = [...new Set(recognisers.flatMap(({ joins }) => joins ?? []))];
    this.#widest = Math.max(0, ...this.#joins.map(({ spaces = 1 }) => spaces));
    this.#bridging = recognisers.filter(({ bridges }) => bridges !== undefined);
    const bridged = this.#bridging.map(({ bridged = "" }) => bridged).join("");
    this.#bridged = Uint8Array.from({ length: 128 }, (_, code) =>
      bridged.includes(String.fromCharCode(code)) ? 1 : 0,
    );
    this.#joins.forEach(({ before, after }, index) => {
      const bit = 1 << index;
      for (const character of before) mark(this.#before, character, bit);
      for (const character of after) mark(this.#after, character, bit);
    });
  }

  /**
   * Returns `true` if the text can be cut at `index`. Returns `false` for a space that might join with text that is not
   * known yet.
   */
  at(text: string, index: number): boolean {
    const kind = kinds[unitAt(text, index)] ?? 0;
    if ((kind & BREAK) === 0) return false;
    if ((kind & SPACE) === 0) return !this.#isBridged(text, index);
    let start = index;
    while (isSpace(text, start - 1)) if (index - --start === this.#widest) return true;
    let end = index + 1;
    while (isSpace(text, end)) if (++end - start > this.#widest) return true;
    if (start === 0) return true;
    const before = this.#before[plain(unitAt(text, start - 1))] ?? 0;
    if (before === 0) return true;
    const known = end < text.length;
    const bits = known ? before & (this.#after[plain(unitAt(text, end))] ?? 0) : before;
    return bits === 0 || !this.#joined(bits, text, start, end);
  }

  #isBridged(text: string, index: number): boolean {
    const code = text.charCodeAt(index);
    if (code < 128 && this.#bridged[code] !== 1) return false;
    if (isInvisiblePair(unitAt(text, index - 1), code)) return true;
    for (const one of this.#bridging) if (one.bridges?.(text, index)) return true;
    return false;
  }

  #joined(bits: number, text: string, start: number, end: number): boolean {
    for (let bit = 0, rest = bits; rest !== 0; bit++, rest >>>= 1) {
      const join = this.#joins[bit];
      if ((rest & 1) === 0 || join === undefined || end - start > (join.spaces ?? 1)) continue;
      if (join.inside?.(text, start, end) ?? true) return true;
    }
    return false;
  }

  /** Returns the last index in `[low, high)` at which the text can be cut, or -1. */
  last(text: string, low: number, high: number): number {
    for (let index = high - 1; index >= low; index--) {
      if (isBreak(text.charCodeAt(index)) && this.at(text, index)) return index;
    }
    return -1;
  }

  /** Returns the first index in `[low, high)` at which the text can be cut, or `high`. */
  first(text: string, low: number, high: number): number {
    for (let index = low; index < high; index++) {
      if (isBreak(text.charCodeAt(index)) && this.at(text, index)) return index;
    }
    return high;
  }

  /** Returns the stretch around `index`, within `[from, to)`, that contains no place to cut. */
  around(text: string, index: number, from: number, to: number): [number, number] {
    const start = this.last(text, from, index);
    return [start < 0 ? from : start + 1, this.first(text, index, to)];
  }
}

const isSpace = (text: string, at: number): boolean => ((kinds[unitAt(text, at)] ?? 0) & SPACE) !== 0;

/** Digits of every script count as the digit they are. */
const plain = (code: number): number => (((kinds[code] ?? 0) & DIGIT) !== 0 ? zero : code);

function mark(table: Uint32Array, character: string, bit: number): void {
  const code = character.charCodeAt(0);
  table[code] = (table[code] ?? 0) | bit;
}
