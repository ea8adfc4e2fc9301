import { isAlpha, isDigit, isHex, isWord, unitAt } from "../scan/characters.js";
import type { Recogniser, Report } from "../scan/recogniser.js";
import { bridges, groupsFrom, joins } from "./card-groups.js";
import { isIssued } from "./card-issuers.js";
import { isFraction } from "./comma.js";
import { digitsOf } from "./digits.js";
import { luhn } from "./identifier/check-digits.js";

const hash = 35;
const percent = 37;
const hyphen = 45;
const slash = 47;
const caret = 94;
const underscore = 95;
const shortest = 12;
const longest = 19;

/**
 * Payment card numbers: an issuer's range and length, and the check digit (Luhn), without separators or in groups.
 * After a keyword also numbers of any issuer, of 12, 13 or more than 16 digits without separators, and in groups that
 * cross two spaces or a line end. A number that is called an ID is left out.
 *
 * @example 4111 1111 1111 1111
 */
export const creditCard = {
  type: "credit_card",
  triggers: "0123456789",
  sites: ["^d{12}", "^ddddss?dddd", "^d{8}ss?d{8}", "^ddtt?ddtt?ddtt?dd", "^ddbb?ddbb?ddbb?dd"],
  reach: 22,
  joins,
  bridged: "\n\r",
  bridges,
  // The penalty is smaller than the bonus of printed groups: a number that is called an ID and happens to have a check
  // digit is an ID.
  labels: { credit_card: 0.4, id: -0.45 },
  alone: 0.1,
  look(text, at, from, to, report) {
    if (at > from && isDigit(unitAt(text, at - 1))) return at + 1;
    const end = digitsEnd(text, at, to);
    const length = end - at;
    if (length >= shortest && length <= longest) {
      const limit = ends(text, end) && !isFraction(text, at, end) ? Math.min(before(text, at, end), usual(length)) : 0;
      const score = limit > 0 ? Math.min(limit, scoreOf(text.slice(at, end))) : 0;
      if (score > 0) report(at, end, score);
    } else if (isGroup(length)) return grouped(text, at, end, to, report);
    return end;
  },
  normal: digitsOf,
  mask(value) {
    const digits = value.replaceAll(/[^\p{Nd}]/gu, "");
    return `****-****-****-${digits.slice(-4)}`;
  },
} as const satisfies Recogniser;

/** Returns true if a group of this length begins a number: others may follow it. */
const isGroup = (length: number): boolean => length === 2 || length === 4 || length === 6 || length === 8;

/** The score of a number that needs a keyword. */
const doubtful = 0.2;
/** The score of a number of an issuer's range without separators, and in the groups that are printed on cards. */
const sure = 0.9;
const surest = 0.92;

/** Hardly any cards have 12, 13 or more than 16 digits, and many other numbers do. */
const usual = (length: number): number => (length < 14 || length > 16 ? 0.45 : sure);

/**
 * Returns the highest possible score of a number in view of the characters before it: 0 inside a decimal, or in a chain
 * of groups such as a UUID.
 */
function before(text: string, at: number, end: number): number {
  const code = unitAt(text, at - 1);
  const second = unitAt(text, at - 2);
  if (code === 46) return isDigit(second) ? 0 : 1;
  // The first track of a magnetic stripe (ISO/IEC 7813).
  if ((code | 32) === 98 && second === percent && unitAt(text, end) === caret) return 1;
  // `PAN4111…`, `card-4111…`, `blk_-4111…`, `orders/4111…`, `#4111…`
  if (isAlpha(code) || code === underscore || code === hash) return doubtful;
  if (code === hyphen || code === slash)
    return isDigit(second) ? 0 : isAlpha(second) || second === underscore ? doubtful : 1;
  return isDigit(code) ? 0 : 1;
}

/** The scores of an issuer's number by its notation. */
const styles = { printed: surest, marked: 0.6, loose: doubtful };

/** Tries the groupings that begin with the group `[at, end)`. Returns the end of the card, or of the group. */
function grouped(text: string, at: number, end: number, to: number, report: Report): number {
  for (const groups of groupsFrom(text, at, end, to)) {
    const issued = ends(text, groups.end) ? scoreOf(text.slice(at, groups.end).replaceAll(/\D/g, "")) : 0;
    const score = issued === sure ? styles[groups.style] : groups.style === "printed" ? issued : 0;
    const limit = score > 0 ? before(text, at, groups.end) : 0;
    if (limit === 0) continue;
    // Names and paths have long numbers in one piece, and none in the groups of a card.
    const known = groups.style === "printed" ? score : Math.min(limit, score);
    report(at, groups.end, known);
    // Less sure, it may be the tail of other numbers, and a card begin within it.
    return known === surest ? groups.end : end;
  }
  return end;
}

function digitsEnd(text: string, at: number, to: number): number {
  let end = at + 1;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  return end;
}

function ends(text: string, end: number): boolean {
  const after = unitAt(text, end);
  if (isWord(after) || after === underscore) return false;
  if (after === hyphen) return !isHex(unitAt(text, end + 1));
  return after !== 46 || !isDigit(unitAt(text, end + 1));
}

/** Returns the score of digits. Outside of the issuers' ranges a check digit is weak evidence, and none for a time. */
function scoreOf(digits: string): number {
  if (!luhn(digits)) return 0;
  return isIssued(digits) ? sure : isTime(digits) ? 0 : doubtful;
}

/** Milliseconds since 1970. */
const isTime = (digits: string): boolean => digits.length === 13 && digits.startsWith("1");
