import { isInvisible } from "@suite/kit/text";

/** No built-in match contains this character, so text can be cut here. */
export const BREAK = 1;
/** A break that may nevertheless stand inside a number (see `breaks.ts`). */
export const SPACE = 2;
/** A decimal digit of any script. */
export const DIGIT = 4;
/** Reads as something else: dropped (zero-width, bidi control), or folded to ASCII (full-width, other digits). */
export const HIDDEN = 8;
/** ASCII letter or digit. */
const WORD = 16;
/** A letter outside ASCII. */
const LETTER = 32;

/**
 * The kind of every UTF-16 unit, as a set of the flags above. Units without a flag are ASCII marks and high surrogates.
 */
export const kinds = new Uint8Array(65536);

/** Code points of the digit zero in the scripts whose digits are read. Nine more follow each. */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
  0xff10,
];

/**
 * Full-width forms that are folded; the other ones (comma, colon, brackets) are the punctuation of East Asian prose.
 */
const fullWidth: readonly [number, number][] = [
  [0xff0d, 0xff0e],
  [0xff20, 0xff3a],
  [0xff3f, 0xff3f],
  [0xff41, 0xff5a],
];

/** High surrogates of invisible characters: musical and shorthand controls, tags, and variation selectors. */
const highs: readonly (readonly [number, number])[] = [
  [0xd82f, 0xd82f],
  [0xd834, 0xd834],
  [0xdb40, 0xdb43],
];

/** U+2010 to U+2012: hyphens that look like `-`. */
const hyphens: readonly [number, number] = [0x2010, 0x2012];

/**
 * Blocks written without spaces between words, symbols, and general punctuation; not Arabic presentation forms. Low
 * surrogates: an astral character ends a word.
 */
const breaks: readonly [number, number][] = [
  [0x00, 0x20],
  [0x7f, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x60c, 0x60c],
  [0x61b, 0x61f],
  [0x6d4, 0x6d4],
  [0x964, 0x965],
  [0xe00, 0xeff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0x2000, 0x2bff],
  [0x2e00, 0xd7ff],
  [0xdc00, 0xfb4f],
  [0xfe10, 0xfe6f],
  [0xff00, 0xffff],
];

function fill(ranges: Iterable<readonly [number, number]>, kind: number): void {
  for (const [first, last] of ranges) kinds.fill(kind, first, last + 1);
}

kinds.fill(LETTER, 0x80);
fill(breaks, BREAK);
fill([[0xd800, 0xdbff]], 0);
fill(
  [0xaa, 0xb5, 0xba].map((code) => [code, code] as const),
  LETTER,
);
fill(
  [...'"<>`'].map((mark) => [mark.charCodeAt(0), mark.charCodeAt(0)] as const),
  BREAK,
);
fill(
  [0x20, 0xa0, 0x2007, 0x2009, 0x202f].map((code) => [code, code] as const),
  BREAK | SPACE,
);
fill([[0x30, 0x39]], WORD | DIGIT);
fill(
  [
    [0x41, 0x5a],
    [0x61, 0x7a],
  ],
  WORD,
);
for (let code = 0; code < kinds.length; code++) if (isInvisible(code)) kinds[code] = HIDDEN;
fill(fullWidth, HIDDEN);
fill([hyphens], HIDDEN);
fill(highs, HIDDEN);
fill(
  zeros.map((zero) => [zero, zero + 9] as const),
  HIDDEN | DIGIT,
);

const zeroOf = new Map(zeros.flatMap((zero) => Array.from({ length: 10 }, (_, digit) => [zero + digit, 0x30 + digit])));

/**
 * Returns the ASCII form of a character, or the character itself if it has none, or -1 if it is invisible. Surrogates
 * are returned unchanged: see `isInvisiblePair`.
 */
export function fold(code: number): number {
  if (((kinds[code] ?? 0) & HIDDEN) === 0 || isSurrogate(code)) return code;
  const digit = zeroOf.get(code);
  if (digit !== undefined) return digit;
  if (code >= 0xff01 && code <= 0xff5e) return code - 0xfee0;
  return code >= hyphens[0] && code <= hyphens[1] ? 0x2d : -1;
}

const isSurrogate = (code: number): boolean => (code & 0xf800) === 0xd800;

/** Returns true for the two surrogates of an invisible character. */
export const isInvisiblePair = (high: number, low: number): boolean =>
  isSurrogate(high) &&
  ((kinds[high] ?? 0) & HIDDEN) !== 0 &&
  (low & 0xfc00) === 0xdc00 &&
  isInvisible(pointOf(high, low));

const pointOf = (high: number, low: number): number => ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000;

/** Returns the printable ASCII character that a tag character (U+E0020 to U+E007E) repeats, or -1 for any other one. */
export function ofTag(high: number, low: number): number {
  const code = high === 0xdb40 ? low - 0xdc00 : 0;
  return code >= 0x20 && code < 0x7f ? code : -1;
}

/**
 * Returns the unit at an index, or 0 if the index is outside of the text. `charCodeAt` becomes many times slower in a
 * function that has once called it with such an index.
 */
export const unitAt = (text: string, at: number): number => (at >= 0 && at < text.length ? text.charCodeAt(at) : 0);

/** Returns true if text can be cut at this character, not counting the exceptions in `Breaks`. */
export const isBreak = (code: number): boolean => ((kinds[code] ?? 0) & BREAK) !== 0;
/** Returns true for an ASCII letter or digit, and false for `NaN`. */
export const isWord = (code: number): boolean => ((kinds[code] ?? 0) & WORD) !== 0;
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
export const isAlpha = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
export const isHex = (code: number): boolean => isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 102);
/** A letter outside ASCII. */
export const isLetter = (code: number): boolean => ((kinds[code] ?? 0) & LETTER) !== 0;
/** Returns true for a non-ASCII Latin letter, which may stand next to ASCII letters in one word. */
export const isLatin = (code: number): boolean => code < 0x250 && isLetter(code);
/** Returns true for a letter of a script without spaces between words. It ends a value in another script. */
export const isSpaceless = (code: number): boolean =>
  code >= 0xe00 && ((kinds[code] ?? 0) & BREAK) !== 0 && /[\p{L}\p{M}]/u.test(String.fromCharCode(code));
