import { foldCharacter, isInvisible } from "./characters.js";

/** A word of a string in folded form, with its position. */
export interface Word {
  /** The first punctuation mark between this word and the next, or "". */
  mark: string;
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** The number of its sentence. */
  readonly sentence: number;
}

const digits: Readonly<Record<string, string>> = {
  __proto__: null as never,
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
};
/** The number of single letters in a row that are a word which was spread out. */
const leastSpread = 5;
const longestWord = 24;

/**
 * Splits a string into words. Invisible characters inside a word, accents, look-alikes and digits for letters are
 * ignored in known words. Letters that are spread out are joined. Runs in time linear in the length of the string.
 *
 * @param known The words that the caller searches for.
 */
export function wordsOf(text: string, known: ReadonlySet<string>): readonly Word[] {
  const words: Word[] = [];
  let [word, start, end, sentence] = ["", 0, 0, 0];
  let letters = 0;
  const close = (): void => {
    if (word === "") return;
    const single = word.length === 1 && end - start <= 2;
    if (!single && letters >= leastSpread) putTogether(words, letters, known);
    words.push({ mark: "", word: known.has(word) ? word : (spelt(word, known) ?? word), start, end, sentence });
    letters = single ? letters + 1 : 0;
    word = "";
  };
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    const fold = isInvisible(code) ? "" : foldCharacter(code);
    if (fold !== "") {
      if (word === "") start = at;
      if (word.length < 64) word += fold;
      end = at + width;
    } else if (!isInvisible(code) && !isInWord(code)) {
      close();
      const last = words.at(-1);
      if (last?.mark === "" && last.end <= at && !isSpace(code)) last.mark = String.fromCodePoint(code);
      if (endsSentence(code, text.charCodeAt(at + 1))) sentence++;
    }
    at += width;
  }
  close();
  if (letters >= leastSpread) putTogether(words, letters, known, words.length);
  return words;
}

/** Returns true for apostrophes, combining marks, and marks that are inserted between letters to hide them. */
const isInWord = (code: number): boolean =>
  code === 0x27 || code === 0x2019 || (code >= 0x300 && code <= 0x36f) || code === 0x2a || code === 0x5f;

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;

/** A full stop within `v1.2` or `example.com` ends nothing. */
const endsSentence = (code: number, next: number): boolean =>
  code === 0x21 ||
  code === 0x3f ||
  code === 0x3002 ||
  (code === 0x2e && !(next > 0x20)) ||
  (code === 0x0a && next === 0x0a);

/** A known word that was written with digits for letters. */
function spelt(word: string, known: ReadonlySet<string>): string | undefined {
  if (!/\d/.test(word) || !/[a-z]/.test(word)) return undefined;
  const letters = word.replaceAll(/[013457]/g, (digit) => digits[digit] ?? digit);
  return known.has(letters) ? letters : undefined;
}

/** Replaces the single letters at the end of the list by the known words that they spell. */
function putTogether(words: Word[], count: number, known: ReadonlySet<string>, before = words.length): void {
  const letters = words.splice(before - count, count);
  const text = letters.map(({ word }) => word).join("");
  for (let at = 0; at < letters.length; ) {
    let length = Math.min(longestWord, text.length - at);
    while (length > 1 && !known.has(text.slice(at, at + length))) length--;
    const first = letters[at] as Word;
    const last = letters[at + length - 1] as Word;
    words.push({ ...first, mark: last.mark, word: text.slice(at, at + length), end: last.end });
    at += length;
  }
}
