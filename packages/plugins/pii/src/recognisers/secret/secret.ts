import { isAlpha, isBreak, isDigit, isLetter } from "../../scan/characters.js";
import type { Recogniser, Report } from "../../scan/recogniser.js";
import { ofPassword, ofSecret } from "../../scan/words.js";
import { secretInAddress } from "./addresses.js";
import { privateKeyWalker } from "./private-key.js";
import { mayBeMark, mayBeWord, shortestMarked } from "./shapes.js";
import { mayBeginToken, prefixOf, tokensIn } from "./tokens.js";
import { mayBeNamed, unnamed, valueScore, valuesIn } from "./values.js";

const letter = 1;
const digit = 2;
const mark = 4;
/** A character at which the text may be cut. */
const stop = 8;
/** A letter, digit or underscore of ASCII. */
const inWord = 16;
/** The roles of ASCII characters in a token or a value; 0 for those that stand between values. */
const roles = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (isAlpha(code) || code === 95) roles[code] = letter | inWord;
  else if (isDigit(code)) roles[code] = digit | inWord;
  else if (isBreak(code)) roles[code] = stop;
  else if ("-+/.~%$!@#^*".includes(String.fromCharCode(code))) roles[code] = mark;
}
/** The shortest run with a letter and a digit in it that may be a secret, and the shortest word without a digit. */
const shortest = 6;
const shortestWord = 20;
const quote = 34;
const hyphen = 45;
const colon = 58;
const at = 64;

/**
 * API keys and tokens by the published formats of 200 providers, JSON Web Tokens, private keys, passwords in addresses,
 * and random values whose name, or the name of a provider near them, marks them as secrets.
 *
 * @example AKIAQ4VZ7KPLTM3XWNRD
 */
export const secret = {
  type: "secret",
  triggers: "0123456789_@abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
  /**
   * A token contains at least one of these sites. `Site` explains the notation.
   *
   * - `_`: the end of the prefix of many tokens
   * - `@`: the character after a password in an address
   * - `ko`, `ok`: a letter that is rare in prose, next to another letter
   * - `=a{20}`: 20 letters after `=`
   * - `looo+d`, `dc*ac*a`: in one run, four letters before a digit, or two letters after a digit
   * - `a29.`: the end of the prefix `ya29.`
   */
  sites: ["_", "@", "ko", "ok", "=a{20}", "looo+d", "dc*ac*a", "a29."],
  // After a name a rare letter is enough, or a letter next to a digit, also with marks between them.
  doubtful: { labels: ofSecret, sites: ["_", "@", "k", "=a{20}", "lq*d", "dq*l"] },
  inStretches: true,
  look(text, trigger, from, to, report, words) {
    let start = trigger;
    while (start > from && !isBreak(text.charCodeAt(start - 1))) start--;
    survey(text, start, to);
    const { end, promising, tokens } = lastSurvey;
    if (!promising) return end;
    const named = words === undefined || words.mayPrecede(ofSecret, start, end);
    if (!named && !tokens) return end;
    const mayBePassword = named && (words === undefined || words.mayPrecede(ofPassword, start, end));
    read(text, start, end, report, tokens, mayBePassword ? "password" : named ? "key" : "none");
    return end;
  },
  weigh: valueScore,
  walker: privateKeyWalker,
  mask: (value) => `${prefixOf(value)}****`,
} as const satisfies Recogniser;

/** A stretch without a place to cut, checked before any part of it is copied: most contain no secret. */
interface Survey {
  end: number;
  /** True if it may contain a secret: a letter and a digit in one run, a long word, or an address with `@`. */
  promising: boolean;
  /**
   * True if it contains the beginning, the mark or the length of a token with a published form, or an address with
   * credentials.
   */
  tokens: boolean;
}

/** The last stretch that was checked. */
const lastSurvey: Survey = { end: 0, promising: false, tokens: false };

/** Checks the stretch that begins at `start` only once. */
function survey(text: string, start: number, to: number): void {
  const open = to < text.length && !isBreak(text.charCodeAt(to));
  let promising = false;
  let tokens = false;
  let marked = false;
  let address = false;
  /** The length of the run, and the roles in it. */
  let run = 0;
  let roleSet = 0;
  /** The length of the word at its end, with and without hyphens. */
  let hyphened = 0;
  let word = 0;
  let end = start;
  for (; end < to; end++) {
    const code = text.charCodeAt(end);
    const role = code < 128 ? (roles[code] ?? 0) : roleOf(code);
    if (role === stop) break;
    run = role === 0 ? 0 : run + 1;
    roleSet = role === 0 ? 0 : roleSet | role;
    if ((role & inWord) !== 0) {
      if (word === 0 && !tokens) tokens = mayBeginToken(text, end, open);
      word++;
      hyphened++;
    } else {
      if (!tokens && word > 0) tokens = mayBeWord(text, end - word, end);
      marked ||= mayBeMark(text, end, code, word);
      word = 0;
      hyphened = code === hyphen ? hyphened + 1 : 0;
      if (code === colon && text.startsWith("://", end)) {
        address = true;
        tokens ||= secretInAddress(text, end, to) !== undefined;
      } else if (code === at && address) promising = true;
    }
    if ((run >= shortest && (roleSet & 3) === 3) || hyphened >= shortestWord) promising = true;
  }
  lastSurvey.end = end;
  lastSurvey.promising = promising;
  lastSurvey.tokens = tokens || mayBeWord(text, end - word, end) || (marked && end - start >= shortestMarked);
}

const roleOf = (code: number): number => (isBreak(code) ? stop : isLetter(code) ? letter : 0);

/**
 * Reports the secrets in a stretch.
 *
 * @param mayHold True if it may contain tokens.
 * @param named The kind of value that words before the stretch announce. For `key` only random values count.
 */
function read(
  text: string,
  start: number,
  end: number,
  report: Report,
  mayHold: boolean,
  named: "none" | "key" | "password",
): void {
  const stretch = text.slice(start, end);
  const inside = start > 0 && !isBreak(text.charCodeAt(start - 1));
  const open = end < text.length && !isBreak(text.charCodeAt(end));
  const tokens = mayHold ? tokensIn(stretch, inside, open) : [];
  for (const token of tokens) if (token.score > 0) report(start + token.start, start + token.end, token.score);
  if (named === "none") return;
  // `mysql -p…`
  if (stretch.startsWith("-p") && stretch.length > 2 + shortest - 1) report(start + 2, end, unnamed);
  const quoted = text.charCodeAt(start - 1) === quote && text.charCodeAt(end) === quote;
  for (const value of valuesIn(stretch, tokens, quoted)) {
    if (named === "key" && !mayBeNamed(stretch.slice(value.start, value.end))) continue;
    report(start + value.start, start + value.end, value.score);
  }
}
