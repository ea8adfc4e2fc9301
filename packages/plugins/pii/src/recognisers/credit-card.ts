import luhn from "luhn";
import { isDigit, isHex, isWord, kinds, SPACE } from "../scan/characters.js";
import { isIssued } from "./card-issuers.js";
import { isFraction } from "./comma.js";
import type { Recogniser, Report } from "./recogniser.js";

/** How numbers are printed in groups, longest first. */
const groupings: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [6, 13],
  [4, 6, 5],
  [4, 6, 4],
];
const hyphen = 45;
const shortest = 12;
const longest = 19;

/**
 * Payment card numbers: an issuer's range and length, the check digit (Luhn), written in one or in printed groups. Behind
 * a word that says so, of any issuer.
 */
export const creditCard = {
  type: "credit_card",
  triggers: "0123456789",
  joins: [{ before: "0123456789", after: "0123456789" }],
  labels: { credit_card: 0.4 },
  look(text, at, from, to, report) {
    if (at > from && isDigit(text.charCodeAt(at - 1))) return at + 1;
    const end = digitsEnd(text, at, to);
    if (!begins(text, at) || isFraction(text, at, end)) return end;
    const length = end - at;
    if (length >= shortest && length <= longest) {
      const score = ends(text, end) ? scoreOf(text.slice(at, end)) : 0;
      if (score > 0) report(at, end, score);
    } else if (length === 4 || length === 6) grouped(text, at, end, to, report);
    return end;
  },
  mask(value) {
    const digits = value.replaceAll(/[^\p{Nd}]/gu, "");
    return `****-****-****-${digits.slice(-4)}`;
  },
} as const satisfies Recogniser;

/** Tries the printed groupings from the group `[at, end)` on, with the separator that follows it throughout. */
function grouped(text: string, at: number, end: number, to: number, report: Report): void {
  const separator = text.charCodeAt(end);
  if (separator !== hyphen && ((kinds[separator] ?? 0) & SPACE) === 0) return;
  for (const grouping of groupings) {
    const last = groupsEnd(text, at, to, separator, grouping);
    const score = last > 0 && ends(text, last) ? scoreOf(text.slice(at, last).replaceAll(/\D/g, "")) : 0;
    if (score > 0) {
      report(at, last, score);
      return;
    }
  }
}

function groupsEnd(text: string, at: number, to: number, separator: number, grouping: readonly number[]): number {
  let index = at;
  for (const size of grouping) {
    if (index > at && text.charCodeAt(index++) !== separator) return 0;
    const stop = index + size;
    if (stop > to) return 0;
    while (index < stop) if (!isDigit(text.charCodeAt(index++))) return 0;
    if (isDigit(text.charCodeAt(stop))) return 0;
  }
  return index;
}

function digitsEnd(text: string, at: number, to: number): number {
  let end = at + 1;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Not inside a word, a decimal, or a chain of groups such as a UUID. */
function begins(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (isWord(before)) return false;
  if (before === hyphen) return !isHex(text.charCodeAt(at - 2));
  return before !== 46 || !isDigit(text.charCodeAt(at - 2));
}

function ends(text: string, end: number): boolean {
  const after = text.charCodeAt(end);
  if (isWord(after)) return false;
  if (after === hyphen) return !isHex(text.charCodeAt(end + 1));
  return after !== 46 || !isDigit(text.charCodeAt(end + 1));
}

/** Outside the issuers' ranges a check digit alone says little, and of a time nothing. */
function scoreOf(digits: string): number {
  if (!luhn.validate(digits)) return 0;
  return isIssued(digits) ? 0.9 : isTime(digits) ? 0 : 0.2;
}

/** Milliseconds since 1970. */
const isTime = (digits: string): boolean => digits.length === 13 && digits.startsWith("1");
