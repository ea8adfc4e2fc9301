import { isAlpha, isDigit, isLetter } from "../../scan/characters.js";
import type { Span } from "./addresses.js";
import { likely } from "./checks.js";
import { nameBefore } from "./names.js";
import { isNamedNear } from "./near.js";
import { standsForNone } from "./placeholders.js";
import { isBasic, isCipherKey, isPassword, isRandom, isStrong, shortestRandom } from "./randomness.js";

const shortest = 6;
const shortestLetters = 20;
const longestPassword = 64;
/** The score of a value before its name is known. */
export const unnamed = 0.1;

/** The characters between values: what assigns, lists, and brackets. */
const separators = new Set([..."=:,;&(){}[]|?\\'"].map((sign) => sign.charCodeAt(0)));
/** The characters of ASCII: 1 for separators. */
const separates = Uint8Array.from({ length: 128 }, (_, code) => (separators.has(code) ? 1 : 0));

/**
 * Returns the values that might be secrets without a published form: those with a letter and a digit, or of sufficient
 * length, that are not among `tokens`. The name decides, see `valueScore`.
 *
 * @param quoted True if the text is the whole content of quotes. It may then be a password with separators in it.
 */
export function valuesIn(text: string, tokens: readonly Span[], quoted: boolean): Span[] {
  const found: Span[] = [];
  if (quoted && tokens.length === 0 && text.length <= longestPassword) {
    found.push({ start: 0, end: withoutEscape(text), score: unnamed });
  }
  let next = 0;
  for (let start = 0; start < text.length; start++) {
    let letters = false;
    let digits = false;
    let end = start;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code < 128 && separates[code] === 1) break;
      digits ||= isDigit(code);
      letters ||= isAlpha(code) || isLetter(code);
    }
    if (letters && end - start >= (digits ? shortest : shortestLetters)) {
      const stop = padded(text, start, trimmed(text, start, end));
      while ((tokens[next]?.end ?? text.length) <= start) next++;
      const free = (tokens[next]?.start ?? text.length) >= stop && text.charAt(end) !== "(";
      if (free && stop - start >= shortest) found.push({ start, end: stop, score: unnamed });
    }
    const password = end > start && tokens.length === 0 && assigns(text, start) ? passwordEnd(text, start, end) : end;
    if (password > end && password - start >= shortest) found.push({ start, end: password, score: unnamed });
    start = end;
  }
  return found;
}

/**
 * Returns the score of a value as a secret, according to the name before it.
 *
 * @param score The score of a token, which is kept.
 */
export function valueScore(score: number, before: string, value: string): number {
  if (score > unnamed) return score;
  const kind = nameBefore(before);
  if (kind === undefined) return mayBeKey(value) && isNamedNear(before, value) && !standsForNone(value) ? near : score;
  const chosen = kind === "password" && fulfilsRules(value);
  if ((standsForNone(value) && !chosen) || (clientToken.test(before) && uuid.test(value))) return score;
  if (kind === "cipher") return isCipherKey(value) && isRandom(value) ? likely : score;
  if (kind === "basic") return isBasic(value) ? likely : score;
  if (isRandom(value, shortestKey)) return likely;
  const isChosen = kind === "password" || ((kind === "strong" || inQuotes.test(before)) && isStrong(value));
  return isChosen && isPassword(value) ? madeUp : score;
}

/** `Password123!`: a word that was changed until it fulfilled the rules for passwords. */
const fulfilsRules = (value: string): boolean => /^[A-Z][A-Za-z]{2,15}(?=.*\d)(?=.*[!_-])[\d!_-]{3,6}$/.test(value);

/** The name of an idempotency token in AWS. Its value is a UUID and not a secret. */
const clientToken = /client_?token["']?\s?[:=]\s?["']?$/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns true if a value may be a secret after a name that is not one of a password. See `valueScore`. */
export const mayBeNamed = (value: string): boolean => isRandom(value, shortestKey) || isStrong(value);

/** The scores of a password made up by a person, and of a random value near a name that is not assigned to it. */
const madeUp = 0.65;
const near = 0.6;
const shortestKey = 12;
const inQuotes = /["'`]$/;
const mayBeKey = (value: string): boolean => value.length > 19 && /\d/.test(value) && isRandom(value);

/** Returns true if the value at `start` is the whole value, not part of a list. */
const assigns = (text: string, start: number): boolean => start === 0 || "=:'".includes(text.charAt(start - 1));

/** The end of the text without the backslashes of an escaped quote. */
function withoutEscape(text: string): number {
  let end = text.length;
  while (text.charAt(end - 1) === "\\") end--;
  return end;
}

const bounds = new Set([..."{}[],'\\"].map((sign) => sign.charCodeAt(0)));
const isName = /^[\w.$]*$/;
const field = /[&;|?][\w.-]{0,40}[=&|]/y;

/**
 * Returns the end of a password that continues over marks which end other values, such as `hunter2&x!`. Returns `end`
 * if it does not.
 */
function passwordEnd(text: string, start: number, end: number): number {
  const limit = Math.min(text.length, start + longestPassword);
  const quoted = text.charAt(start - 1) === "'";
  let open = 0;
  let stop = end;
  for (; stop < limit && !bounds.has(text.charCodeAt(stop)); stop++) {
    const sign = text.charAt(stop);
    // The call of a function.
    if (sign === "(" && open++ === 0 && isName.test(text.slice(start, stop))) return end;
    if (sign === ")" && open-- === 0) break;
    field.lastIndex = stop;
    if (!quoted && field.test(text)) break;
  }
  if (stop === limit && limit < text.length) return end;
  if (quoted) return text.charAt(stop) === "'" ? stop : end;
  while (stop > end && ".;:?|=".includes(text.charAt(stop - 1))) stop--;
  return stop;
}

/** The end without the full stop of a sentence, and the stars of bold print; three stops are more than that. */
function trimmed(text: string, start: number, end: number): number {
  if (end < text.length) return end;
  let stop = end;
  while (stop > start && text.charAt(stop - 1) === "*") stop--;
  return /[^.]\.$/.test(text.slice(start, stop)) ? stop - 1 : stop;
}

/** The end of a value with the padding of base64. */
function padded(text: string, start: number, end: number): number {
  let stop = end;
  while (stop - end < 2 && stop - start >= shortestRandom && text.charAt(stop) === "=") stop++;
  return stop === text.length || text.charAt(stop) === "." || separators.has(text.charCodeAt(stop)) ? stop : end;
}
