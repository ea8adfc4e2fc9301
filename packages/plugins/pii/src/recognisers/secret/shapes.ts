import { anchored, type Token } from "./format.js";
import { isPlaceholder } from "./placeholders.js";

/**
 * Published formats that do not begin with a provider's name but contain a mark at a known position: the mark; the
 * number of units from the beginning of the token to it (0: the token begins with the word before the mark); and the
 * whole token. To rule out most marks early, also the characters that may stand at an offset after the mark, and the
 * minimum number of letters, digits and underscores directly before it.
 */
const marked: readonly (readonly [
  provider: string,
  mark: string,
  before: number,
  token: RegExp,
  offset: number,
  characters: string,
  least: number,
])[] = [
  ["Telegram", ":", 0, /\d{8,10}:[\w-]{35}|\d{5,16}:A[\w-]{34}/, -3, "0123456789", 5],
  ["Meta app", "|", 0, /\d{15,16}\|[\w-]{27,40}/, -1, "0123456789", 15],
  ["Mailchimp", "-", 32, /[\da-f]{32}-us\d{1,2}/, 1, "u", 32],
  ["Mailgun", "-", 32, /[\da-f]{32}-[\da-f]{8}-[\da-f]{8}/, 9, "-", 32],
  ["Terraform", ".", 14, /[\dA-Za-z]{14}\.atlasv1\.[\w=-]{60,70}/, 1, "a", 14],
  ["Airtable OAuth", ".", 0, /[\dA-Za-z]{8,40}\.v1\.[\w-]{8,80}\.[\da-f]{32,128}/, 1, "v", 8],
  ["Webex", "-", 0, /[\dA-Za-z]{64}_[\dA-Za-z]{4}_[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/, 5, "-", 78],
  ["Entra ID", "~", 5, /[\w.~-]{3}[78]Q~[\w.~-]{31,34}/, -1, "Q", 2],
  ["Azure Functions", "=", 54, /[\w-]{44}AzFu[\w-]{5}[AQgw]==/, -10, "A", 1],
  ["Azure, 64 bytes", "=", 86, /[\dA-Za-z+/]{76}(?:\+ASt|\+ABa|\+AMC|ACDb|APIM)[\dA-Za-z+/]{5}[AQgw]==/, -10, "+A", 1],
  [
    "Azure, 32 bytes",
    "=",
    43,
    /[\dA-Za-z+/]{33}(?:\+ARm|\+AEh|\+ASb|AIoT|AzCa|AZEG)[A-P][\dA-Za-z+/]{5}=/,
    -10,
    "+A",
    0,
  ],
  ["NVIDIA NGC", ":", 26, /[\da-z]{26}:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/, 9, "-", 26],
  ["Ghost", ":", 24, /[\da-f]{24}:[\da-f]{64}/, -1, "0123456789abcdef", 24],
  ["fal", ":", 36, /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}:[\da-f]{32}/, -1, "0123456789abcdef", 12],
  ["Tableau", ":", 24, /[\dA-Za-z+/]{22}==:[\dA-Za-z]{32}/, -1, "=", 0],
  ["New Relic mobile", "-", 42, /(?:AA[\da-f]{40}|eu01xx[\da-f]{36})-NRMA/, 1, "N", 42],
  ["Azure Container Registry", "+", 42, /[\dA-Za-z+/]{42}\+ACR[A-D][\dA-Za-z+/]{5}/, 1, "A", 0],
];

/**
 * The shapes of tokens that are one word (letters, digits, underscores) of a known length: the text that all of them
 * have at one position, which rules out other words, and the whole token.
 */
const words: readonly (readonly [provider: string, length: number, mark: string, at: number, token: RegExp])[] = [
  ["Azure DevOps", 84, "AZDO", 76, /[\dA-Za-z]{76}AZDO[\dA-Za-z]{4}/],
  ["Microsoft", 84, "JQQJ9", 52, /[\dA-Za-z]{52}JQQJ9[9DH][\dA-Za-z]{26}/],
  ["Azure Search", 52, "AzSe", 42, /[\dA-Za-z]{42}AzSe[A-D][\dA-Za-z]{5}/],
  ["MaxMind", 40, "_mmk", 36, /[\dA-Za-z]{6}_[\dA-Za-z]{29}_mmk/],
  ["New Relic", 40, "NRAL", 36, /[\da-z]{6}[\da-f]{26,30}(?:FFFF)?NRAL/],
];

interface Marked {
  readonly before: number;
  readonly token: RegExp;
  readonly offset: number;
  readonly characters: string;
  readonly least: number;
}

/** The marked shapes, by their mark. */
const byMark: (Marked[] | undefined)[] = Array.from({ length: 128 });
for (const [, mark, before, token, offset, characters, least] of marked) {
  const code = mark.charCodeAt(0);
  byMark[code] = [...(byMark[code] ?? []), { before, token: anchored(token), offset, characters, least }];
}
interface Whole {
  readonly mark: string;
  readonly at: number;
  readonly token: RegExp;
}

/** The shapes that are one word, by its length. */
const byLength: (readonly Whole[] | undefined)[] = Array.from({ length: 128 });
for (const [, length, mark, at, token] of words)
  byLength[length] = [...(byLength[length] ?? []), { mark, at, token: anchored(token) }];

/**
 * Returns true if the mark `code` at `at` may be that of such a token, directly after `word` letters, digits and
 * underscores.
 */
export function mayBeMark(text: string, at: number, code: number, word: number): boolean {
  const formats = byMark[code];
  if (formats === undefined) return false;
  for (const { offset, characters, least } of formats) {
    if (word >= least && characters.includes(text.charAt(at + offset) || "\n")) return true;
  }
  return false;
}

/** Returns true if the word `[from, to)` may be a token. */
export function mayBeWord(text: string, from: number, to: number): boolean {
  const shapes = byLength[to - from];
  if (shapes === undefined) return false;
  for (const { mark, at } of shapes) if (text.startsWith(mark, from + at)) return true;
  return false;
}

/** The shortest token that has a mark inside. */
export const shortestMarked = 34;

/** Returns the token whose mark is at `at`, after the word that begins at `word`, and the beginning of the token. */
export function markedToken(text: string, at: number, word: number): (Token & { readonly start: number }) | undefined {
  for (const { before, token, offset, characters } of byMark[text.charCodeAt(at)] ?? []) {
    const start = before === 0 ? word : at - before;
    if (start < 0 || !characters.includes(text.charAt(at + offset) || "\n")) continue;
    if (goesOn.test(text.charAt(start - 1))) continue;
    token.lastIndex = start;
    if (token.test(text)) return { start, end: token.lastIndex, score: sureOf(text.slice(start, token.lastIndex)) };
  }
  return undefined;
}

/** The token that is the whole word `[from, to)`. */
export function wordToken(text: string, from: number, to: number): Token | undefined {
  for (const { mark, at, token } of byLength[to - from] ?? []) {
    if (!text.startsWith(mark, from + at)) continue;
    token.lastIndex = from;
    if (token.test(text) && token.lastIndex === to) return { end: to, score: sureOf(text.slice(from, to)) };
  }
  return undefined;
}

const sureOf = (token: string): number => (isPlaceholder(token) ? 0 : 1);

/** The character right before a token without a prefix that makes it a part of something longer. */
const goesOn = /[\w+/]/;
