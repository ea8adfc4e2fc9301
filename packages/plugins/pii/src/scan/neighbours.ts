import { isAlpha, isDigit, isHex, isLetter, unitAt } from "./characters.js";

/** What a character is to the one beside it, as a set of flags of which each character has one. */
export const NUMERAL = 1;
/** `a` to `f`, which are digits of hexadecimal numbers. */
export const HEX_LETTER = 2;
/** Any other letter of ASCII, and the underscore. */
export const ALPHA = 4;
/** A letter outside ASCII. */
export const FOREIGN = 8;
export const SLASH = 16;
export const COLON = 32;
export const BACKSLASH = 64;
export const HASH = 128;
/** A letter of a script without spaces between words, a symbol, half of an astral character, a mark of such a script. */
export const SPACELESS = 256;
/** All others, and the end of the text. */
const OTHER = 512;

export const WORDS = NUMERAL | HEX_LETTER | ALPHA;
export const ANYTHING = 1023;

/** How many kinds of neighbours there are, and of pairs of them. */
export const neighbours = 10;
export const pairs = neighbours ** 2;

/** From each UTF-16 unit to the number of the bit of its flag. */
const places = new Uint8Array(65536).fill(Math.log2(OTHER));
for (let code = 0; code < 65536; code++) {
  if (isDigit(code)) places[code] = 0;
  else if (isHex(code)) places[code] = 1;
  else if (isAlpha(code) || code === 95) places[code] = 2;
  else if (isLetter(code)) places[code] = 3;
  else if (code >= 0xe00) places[code] = 8;
}
for (const [place, mark] of [..."/:\\#"].entries()) places[mark.charCodeAt(0)] = 4 + place;

/** Which pair of neighbours the character at `at` stands between: below `pairs`. */
export const pairAt = (text: string, at: number): number =>
  placeOf(unitAt(text, at - 1)) * neighbours + placeOf(unitAt(text, at + 1));

const placeOf = (code: number): number => places[code] ?? 9;
