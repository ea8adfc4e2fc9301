import { isWord, unitAt } from "../../scan/characters.js";
import { type Span, secretInAddress } from "./addresses.js";
import { FormatIndex } from "./format.js";
import { ai } from "./formats/ai.js";
import { clouds } from "./formats/clouds.js";
import { code } from "./formats/code.js";
import { messaging } from "./formats/messaging.js";
import { observability } from "./formats/observability.js";
import { payments } from "./formats/payments.js";
import { services } from "./formats/services.js";
import { vaults } from "./formats/vaults.js";
import { jwtEnd } from "./jwt.js";
import { markedToken, shortestMarked, wordToken } from "./shapes.js";

const formats = new FormatIndex([ai, clouds, vaults, code, payments, messaging, observability, services]);

/** Returns the prefix that identifies the provider of a token, or an empty string for all other secrets. */
export function prefixOf(secret: string): string {
  const token = formats.token(secret, 0);
  return token?.end === secret.length ? token.prefix : "";
}

/**
 * Returns true if a token may begin with the word at `at`. Most words are ruled out by their first two characters.
 *
 * @param open True if the stretch continues after its end, so that a token may seem longer than it is there.
 */
export function mayBeginToken(text: string, at: number, open: boolean): boolean {
  if (formats.mayBegin(text, at, open) || beginsJwt(text, at)) return true;
  return escapeLetterLength(text, at) > 0 && mayBeginToken(text, at + 1, open);
}

/**
 * Returns the tokens in a stretch without a place to cut, from left to right. Tokens that only show the form have score
 * 0.
 *
 * @param inside True if the stretch begins inside a word.
 * @param open True if it continues after its end.
 */
export function tokensIn(text: string, inside: boolean, open: boolean): Span[] {
  const found: Span[] = [];
  let word = inside ? wordEnd(text, 0) : 0;
  for (let at = word; at < text.length; ) {
    const isMark = !isWordUnit(text.charCodeAt(at));
    const span = isMark ? atMark(text, at, word) : atWord(text, at, open);
    if (span !== undefined) {
      found.push(span);
      at = span.end;
      word = at;
    } else if (isMark) at++;
    else {
      word = at;
      at = wordEnd(text, at);
    }
  }
  return found;
}

function atMark(text: string, at: number, word: number): Span | undefined {
  if (text.startsWith("://", at)) return secretInAddress(text, at, text.length);
  return text.length < shortestMarked ? undefined : markedToken(text, at, word);
}

function atWord(text: string, at: number, open: boolean): Span | undefined {
  const start = at + escapeLetterLength(text, at);
  const end = beginsJwt(text, start) ? jwtEnd(text, start, open) : 0;
  if (end > 0) return { start, end, score: 1 };
  const token = formats.token(text, start) ?? wordToken(text, start, wordEnd(text, start));
  return token && { start, ...token };
}

/** Returns 1 at the letter of a written `\n`, `\r` or `\t`, which belongs to no token. Returns 0 elsewhere. */
const escapeLetterLength = (text: string, at: number): number =>
  unitAt(text, at - 1) === 92 && "nrt".includes(text.charAt(at)) ? 1 : 0;

/** `{"`, `{ ` or `{` and a line's end, in base64. */
function beginsJwt(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 101) return false;
  const second = unitAt(text, at + 1);
  return (second === 121 || second === 119) && unitAt(text, at - 1) !== 45;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isWordUnit(text.charCodeAt(end))) end++;
  return end;
}

const isWordUnit = (unit: number): boolean => isWord(unit) || unit === 95;
