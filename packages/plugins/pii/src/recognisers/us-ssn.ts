import { isAlpha, isDigit, isWord, kinds, SPACE, unitAt } from "../scan/characters.js";
import type { Recogniser } from "../scan/recogniser.js";
import { labelSetOf } from "../scan/words.js";
import { digitsOf } from "./digits.js";

const hyphen = 45;

/** Numbers that were printed in advertisements and leaflets, and that the administration declared invalid. */
const voided = new Set(["078051120", "219099999"]);

/**
 * Social Security numbers of the United States: `AAA-GG-SSSS`, with hyphens or spaces. Area 000, 666, 900 to 999, group
 * 00 and serial 0000 are never issued. After a keyword also nine digits without separators, and tax numbers (ITIN),
 * whose area is 900 or higher.
 *
 * @example 078-05-1121
 */
export const usSsn = {
  type: "us_ssn",
  triggers: "0123456789",
  sites: ["^dddeddedddd"],
  // Without separators they need a keyword.
  doubtful: { labels: labelSetOf(["us_ssn"]), sites: ["^d{9}", "^dddeddedddd"] },
  reach: 11,
  joins: [{ before: "0123456789", after: "0123456789" }],
  labels: { us_ssn: 0.4, other: -0.2, id: -0.2 },
  look(text, at, from, to, report) {
    if (at > from && isDigit(unitAt(text, at - 1))) return at + 1;
    let end = at + 1;
    while (end < to && isDigit(text.charCodeAt(end))) end++;
    if (end - at === 9) {
      const score = 0.15 * sureness(text.slice(at, end));
      if (score > 0 && begins(text, at) && !isAlpha(unitAt(text, at - 1)) && ends(text, end)) report(at, end, score);
      return end;
    }
    if (end - at !== 3 || at + 11 > to) return end;
    const separator = unitAt(text, end);
    if (separator !== hyphen && ((kinds[separator] ?? 0) & SPACE) === 0) return end;
    const number = text.slice(at, at + 11);
    if (unitAt(text, at + 6) !== separator || !grouped.test(number) || !begins(text, at) || !ends(text, at + 11)) {
      return end;
    }
    const form = isAlpha(unitAt(text, at - 1)) ? 0.2 : separator === hyphen ? 0.7 : 0.5;
    const score = form * sureness(number.replaceAll(/\D/g, ""));
    if (score > 0) report(at, at + 11, score);
    return end;
  },
  normal: digitsOf,
  mask(value) {
    return `***-**-${value.replaceAll(/[^\p{Nd}]/gu, "").slice(-4)}`;
  },
} as const satisfies Recogniser;

const grouped = /^\d{3}\D\d\d\D\d{4}$/;

/** The score of digits: 1 for what may have been given out, less for a tax number, 0 for neither. */
function sureness(digits: string): number {
  if (digits.startsWith("000") || digits.startsWith("666") || voided.has(digits)) return 0;
  const group = Number(digits.slice(3, 5));
  if (digits.startsWith("9")) return isTaxpayer(group) ? 0.5 : 0;
  return group === 0 || digits.endsWith("0000") ? 0 : 1;
}

/** The groups of taxpayer identification numbers (IRS). */
const isTaxpayer = (group: number): boolean =>
  (group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group <= 92) || group >= 94;

function begins(text: string, at: number): boolean {
  const before = unitAt(text, at - 1);
  if (isDigit(before) || before === 35 || before === 36 || before === 95) return false;
  if (before === hyphen) return !isWord(unitAt(text, at - 2));
  return !(before === 46 || before === 47) || !isDigit(unitAt(text, at - 2));
}

function ends(text: string, end: number): boolean {
  const after = unitAt(text, end);
  if (isWord(after) || after === 95 || after === 37) return false;
  // A path continues with words, a date with digits.
  if (after === 47) return !isDigit(unitAt(text, end + 1));
  return !(after === hyphen || after === 46) || !isWord(unitAt(text, end + 1));
}
