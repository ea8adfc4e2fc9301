import { countrySpecs, isValidBBAN } from "ibantools";
import { isAlpha, isDigit, isWord, unitAt } from "../scan/characters.js";
import type { Joins, Recogniser } from "../scan/recogniser.js";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const alphanumeric = `0123456789${letters}${letters.toLowerCase()}`;
/** Characters of any account (ISO 13616). */
const longest = 34;
const hyphen = 45;
const space = /[ \u00a0\u2007\u2009\u202f]/;
const head = /^[A-Za-z]{2}\d\d$/;
const group = /^[0-9A-Za-z]{4}$/;

/** Groups of four after a country with IBANs, until its length is reached. Each of the groups may be the first. */
const joins: readonly Joins[] = [
  {
    before: alphanumeric,
    after: alphanumeric,
    inside(text, index) {
      // Most words have not exactly four letters.
      if (isWord(unitAt(text, index - 5)) || !isWord(unitAt(text, index - 4))) return false;
      const separator = unitAt(text, index);
      for (let read = 4, start = index - 4; start >= 0 && read < longest; read += 4, start -= 5) {
        const written = text.slice(start, start + 4);
        if (!group.test(written)) return false;
        if (head.test(written) && read < lengthIn(written.slice(0, 2)) && !isWord(unitAt(text, start - 1))) return true;
        if (unitAt(text, start - 1) !== separator) return false;
      }
      return false;
    },
  },
];

/**
 * Bank accounts as IBANs (ISO 13616), with the length and structure of the country and two check digits. Written
 * without separators or in groups of four.
 *
 * @example DE75512108001245126199
 */
export const iban = {
  type: "iban",
  triggers: "0123456789",
  sites: ["vaaddw{3}", "vaaddew"],
  reach: 5,
  anyCase: true,
  joins,
  labels: { iban: 0.4 },
  look(text, at, from, to, report) {
    const start = at - 2;
    if (start < from || !isDigit(unitAt(text, at + 1)) || !isCheck(text.slice(at, at + 2))) return at + 1;
    if (!isAlpha(unitAt(text, at - 1)) || !isAlpha(unitAt(text, start)) || isWord(unitAt(text, start - 1))) {
      return at + 1;
    }
    const length = lengthIn(text.slice(start, at));
    const end = length === 0 ? 0 : accountEnd(text, start, length, to);
    if (end === 0 || isWord(unitAt(text, end))) return at + 2;
    const raw = text.slice(start, end).replaceAll(/[^0-9A-Za-z]/g, "");
    const account = raw.toUpperCase();
    if (raw !== account && raw !== raw.toLowerCase()) return at + 2;
    if (remainder(account) !== 1) {
      // A mistyped IBAN, reported only if a word calls it one.
      report(start, end, 0.15);
      return at + 2;
    }
    report(start, end, isValidBBAN(account.slice(4), account.slice(0, 2)) ? 0.95 : 0.6);
    return end;
  },
  normal: (value) => value.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase(),
  mask(value) {
    return value.length < 12 ? "****" : `${value.slice(0, 2)}** **** ${value.slice(-4)}`;
  },
} as const satisfies Recogniser;

/** The range of valid check digits (98 minus the remainder). */
const isCheck = (digits: string): boolean => digits >= "02" && digits <= "98";

/** Returns the length of a country's accounts, or 0 if it has no IBANs. */
function lengthIn(country: string): number {
  const code = country.toUpperCase();
  return (Object.hasOwn(countrySpecs, code) && countrySpecs[code]?.chars) || 0;
}

/**
 * Returns the end of the account of this length, or 0 if it is absent. Groups of four, if any, are all separated by
 * the same mark.
 */
function accountEnd(text: string, start: number, length: number, to: number): number {
  const separator = isWord(unitAt(text, start + 4)) ? 0 : unitAt(text, start + 4);
  if (separator !== 0 && separator !== hyphen && !space.test(text.charAt(start + 4))) return 0;
  let at = start;
  for (let read = 0; read < length; read++, at++) {
    if (separator !== 0 && read > 0 && read % 4 === 0 && unitAt(text, at++) !== separator) return 0;
    if (at >= to || !isWord(unitAt(text, at))) return 0;
  }
  return at;
}

/** ISO 7064, mod 97-10: 1 for an account whose check digits are right. */
function remainder(account: string): number {
  let rest = 0;
  for (let read = 0; read < account.length; read++) {
    const code = account.charCodeAt((read + 4) % account.length);
    const value = code < 65 ? code - 48 : code - 55;
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}
