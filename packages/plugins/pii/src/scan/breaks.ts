import { BREAK, DIGIT, kinds, SPACE, unitAt } from "./characters.js";
import type { Joins, Recogniser } from "./recogniser.js";

const zero = 0x30;

/**
 * The places where a text can be cut: at characters that no match contains. A space is one, unless a recogniser says
 * that its values are written with spaces and the characters on both sides could belong to one; likewise what it
 * bridges.
 */
export class Breaks {
  readonly #before = new Uint32Array(128);
  readonly #after = new Uint32Array(128);
  readonly #joins: readonly Joins[];
  readonly #bridging: readonly Recogniser[];

  /** @param recognisers have at most 32 joins together, of which those that they share count once. */
  constructor(recognisers: readonly Recogniser[]) {
    this.#joins = [...new Set(recognisers.flatMap(({ joins }) => joins ?? []))];
    this.#bridging = recognisers.filter(({ bridges }) => bridges !== undefined);
    this.#joins.forEach(({ before, after }, index) => {
      const bit = 1 << index;
      for (const character of before) mark(this.#before, character, bit);
      for (const character of after) mark(this.#after, character, bit);
    });
  }

  /** Whether the text can be cut at `index`. While what follows is not known yet, a space that might join cannot be. */
  at(text: string, index: number): boolean {
    const kind = kinds[unitAt(text, index)] ?? 0;
    if ((kind & BREAK) === 0) return false;
    if ((kind & SPACE) === 0) return !this.#bridging.some((one) => one.bridges?.(text, index));
    if (index === 0) return true;
    const before = this.#before[plain(unitAt(text, index - 1))] ?? 0;
    if (before === 0) return true;
    const known = index + 1 < text.length;
    const bits = known ? before & (this.#after[plain(unitAt(text, index + 1))] ?? 0) : before;
    return bits === 0 || !this.#joined(bits, text, index);
  }

  #joined(bits: number, text: string, index: number): boolean {
    for (let bit = 0, rest = bits; rest !== 0; bit++, rest >>>= 1) {
      const join = this.#joins[bit];
      if ((rest & 1) !== 0 && join !== undefined && (join.inside?.(text, index) ?? true)) return true;
    }
    return false;
  }

  /** The last place in `[low, high)` where the text can be cut, or -1. */
  last(text: string, low: number, high: number): number {
    for (let index = high - 1; index >= low; index--) {
      if (((kinds[text.charCodeAt(index)] ?? 0) & BREAK) !== 0 && this.at(text, index)) return index;
    }
    return -1;
  }

  /** The stretch around `index`, within `[from, to)`, that holds no place to cut. */
  around(text: string, index: number, from: number, to: number): [number, number] {
    let start = index;
    let end = index + 1;
    while (start > from && !this.at(text, start - 1)) start--;
    while (end < to && !this.at(text, end)) end++;
    return [start, end];
  }
}

/** Digits of every script count as the digit they are. */
const plain = (code: number): number => (((kinds[code] ?? 0) & DIGIT) !== 0 ? zero : code);

function mark(table: Uint32Array, character: string, bit: number): void {
  const code = character.charCodeAt(0);
  table[code] = (table[code] ?? 0) | bit;
}
