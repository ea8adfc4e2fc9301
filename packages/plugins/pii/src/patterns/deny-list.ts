import { DIGIT, fold, HIDDEN, isInvisiblePair, isLetter, isWord, kinds } from "../scan/characters.js";

/** The result if more text is needed to decide. */
export const open = -2;
const none = -1;
const invisible = -1;
const space = 0x20;
/** The maximum number of invisible characters or additional spaces at one position inside a value. */
const mostSkipped = 8;

/**
 * A list of values, found in any case and in hidden forms: with invisible characters, in full-width letters, with a
 * line end for a space. A value that begins or ends with a letter or a digit stands as a whole word there.
 */
export class DenyList {
  /** The values in folded form, sorted, so that values with a common prefix are adjacent. */
  readonly #values: readonly string[];
  /** The first units of the values. */
  readonly #first = new Uint8Array(65536);

  constructor(values: readonly string[]) {
    const forms = values.flatMap((value) => [value, value.normalize("NFC"), value.normalize("NFD")]);
    this.#values = [...new Set(forms.map(asRead))].filter((value) => value !== "").sort();
    for (const value of this.#values) this.#first[value.charCodeAt(0)] = 1;
  }

  /** Returns true if a value may begin at `at`. */
  mayBegin(text: string, at: number): boolean {
    const code = text.charCodeAt(at);
    return this.#first[readAs(code)] === 1 && !(inWord(code) && at > 0 && inWord(text.charCodeAt(at - 1)));
  }

  /**
   * Returns the end of the longest value that begins at `at`, -1 if there is none, or `open` if more text may complete
   * one.
   */
  endOf(text: string, at: number, ended: boolean): number {
    let [low, high, depth] = [0, this.#values.length, 0];
    let [previous, skipped, last] = [0, 0, none];
    for (let index = at; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (!ended && index + 1 === text.length && isHiddenHigh(code)) return open;
      const pair = isInvisiblePair(code, text.charCodeAt(index + 1));
      if (pair) index++;
      const unit = pair ? invisible : readAs(code);
      if (unit < 0 || (unit === space && previous === space)) {
        if (++skipped > mostSkipped) return last;
        continue;
      }
      low = this.#from(low, high, depth, unit);
      high = this.#from(low, high, depth, unit + 1);
      if (low === high) return last;
      depth++;
      previous = unit;
      skipped = 0;
      if (this.#values[low]?.length === depth && endsWord(text, index)) last = index + 1;
    }
    return ended ? last : open;
  }

  /** The first value of `[low, high)`, which are alike up to `depth`, that has this unit there or a greater one. */
  #from(low: number, high: number, depth: number, unit: number): number {
    let [from, to] = [low, high];
    while (from < to) {
      const middle = (from + to) >> 1;
      // A value that ends here gives NaN; it sorts first.
      if ((this.#values[middle]?.charCodeAt(depth) ?? unit) >= unit) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** Returns the same unit for all forms of a character, or -1 if it is invisible. */
function readAs(code: number): number {
  if (reads[code] === 0) reads[code] = 2 + simple(fold(code));
  return (reads[code] ?? 2) - 2;
}

const reads = new Int32Array(65536);

/** A unit in any case, or any white space, as one unit. */
function simple(code: number): number {
  if (code < 0) return code;
  const character = String.fromCharCode(code);
  if (/\s/.test(character)) return space;
  const upper = character.toUpperCase();
  const lower = (upper.length === 1 ? upper : character).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** Returns true for a high surrogate whose character may be invisible. */
const isHiddenHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00 && ((kinds[code] ?? 0) & HIDDEN) !== 0;

function asRead(value: string): string {
  let read = "";
  for (let at = 0; at < value.length; at++) {
    if (isInvisiblePair(value.charCodeAt(at), value.charCodeAt(at + 1))) {
      at++;
      continue;
    }
    const unit = readAs(value.charCodeAt(at));
    if (unit >= 0 && !(unit === space && (read === "" || read.endsWith(" ")))) read += String.fromCharCode(unit);
  }
  return read.trimEnd();
}

/** Returns true for letters and digits of scripts with spaces between words. */
const inWord = (code: number): boolean => isWord(code) || isLetter(code) || ((kinds[code] ?? 0) & DIGIT) !== 0;

const endsWord = (text: string, last: number): boolean =>
  !(inWord(text.charCodeAt(last)) && inWord(text.charCodeAt(last + 1)));
