import type { Group } from "./groups.js";
import { callingCode, exists } from "./plans.js";

/** A number found in a run of groups: the last group of it, and how sure its form makes it. */
export interface Shape {
  readonly last: number;
  readonly score: number;
}

/** The form that makes a number surest, of those that need no plus. */
export function national(groups: readonly Group[], first: number): Shape | undefined {
  let best: Shape | undefined;
  for (const form of forms) {
    const shape = form(groups, first);
    if (shape !== undefined && shape.score > (best?.score ?? 0)) best = shape;
  }
  return best;
}

/** `+49 30 123456`, also with the trunk zero that is left out when calling: `+44 (0)20 7946 0000`. */
export function international(groups: readonly Group[], first: number): Shape | undefined {
  return (
    withCode(groups, first, 0, 0.8) ?? {
      last: groups.length - 1,
      score: fits(digitsOf(groups, first, groups.length), 8, 15) ? 0.3 : 0,
    }
  );
}

/**
 * Returns the shape after an international prefix: `00` in most countries, `011` in North America. Other things begin
 * like this too.
 */
function prefixed(groups: readonly Group[], first: number): Shape | undefined {
  const digits = groups[first]?.digits ?? "";
  const prefix = digits === "011" ? 3 : digits.startsWith("00") ? 2 : 0;
  const shape = prefix > 0 ? withCode(groups, first, prefix, 0.4) : undefined;
  if (shape === undefined || shape.last === first) return shape;
  return exists(digitsOf(groups, first, shape.last + 1).slice(prefix)) ? { ...shape, score: 0.6 } : shape;
}

function withCode(groups: readonly Group[], first: number, prefix: number, score: number): Shape | undefined {
  for (let last = groups.length - 1; last >= first; last--) {
    if (!breaksAfter(groups, last)) continue;
    const number = digitsOf(groups, first, last + 1).slice(prefix);
    if (number.length > 16) continue;
    const code = callingCode(number);
    if (code === undefined) return undefined;
    const national = number.slice(code.digits);
    const { lengths } = code;
    const trunk = national.startsWith("0") && has(lengths, national.length - 1);
    if (trunk || has(lengths, national.length)) return { last, score };
  }
  return undefined;
}

/** North America: `(415) 555-0132`, `415-555-0132`, `1-415-555-0132`, `415.555.0132`. */
function northAmerican(groups: readonly Group[], first: number): Shape | undefined {
  const lead = groups[first]?.digits;
  const prefix = lead === "1" || lead === "001" ? 1 : 0;
  const area = groups[first + prefix];
  const exchange = groups[first + prefix + 1];
  const line = groups[first + prefix + 2];
  if (area?.digits.length !== 3 || exchange?.digits.length !== 3 || line?.digits.length !== 4) return undefined;
  const last = first + prefix + 2;
  if (!breaksAfter(groups, last)) return undefined;
  const style = area.bracketed ? "(" : exchange.gap === line.gap ? line.gap : "";
  const sure = { "(": 0.65, "-": 0.65, ".": 0.6, " ": 0.45 }[style];
  if (sure === undefined || (style === " " && !isAll(groups, first, last))) return undefined;
  // Area codes and exchanges begin with 2 to 9.
  const isAssigned = area.digits >= "2" && exchange.digits >= "2";
  return { last, score: sure - (isAssigned ? 0 : 0.1) + prefix * 0.1 };
}

/** An area code in brackets: `(030) 1234 567`, optionally after a calling code without its plus: `49 (30) 1234 567`. */
function areaInBrackets(groups: readonly Group[], first: number): Shape | undefined {
  const area = groups[first];
  if (groups[first + 1]?.bracketed) {
    // 8 is the trunk prefix of Russia and Kazakhstan.
    return area?.digits === "8" ? areaInBrackets(groups, first + 1) : withCode(groups, first, 0, 0.5);
  }
  if (!area?.bracketed || !fits(area.digits, 2, 5) || isYear(area.digits)) return undefined;
  for (let last = Math.min(first + 4, groups.length - 1); last > first; last--) {
    const rest = digitsOf(groups, first + 1, last + 1);
    if (fits(rest, 6, 9) && breaksAfter(groups, last)) return { last, score: 0.5 };
  }
  return undefined;
}

/**
 * A trunk zero, and groups. Not in the form of a social security number or a ZIP code of the US: `030 1234567`, `06 12
 * 34 56 78`, `0176/12345678`.
 */
function withTrunkZero(groups: readonly Group[], first: number): Shape | undefined {
  const area = groups[first]?.digits ?? "";
  if (!fits(area, 2, 5) || !hasTrunk(area) || isSsn(groups.slice(first, first + 3)) || isZip(groups, first))
    return undefined;
  for (let last = groups.length - 1; last > first; last--) {
    const part = groups.slice(first, last + 1);
    if (!isEven(part) || !fits(digitsOf(groups, first, last + 1), 9, 12) || !breaksAfter(groups, last)) continue;
    // Five pairs are a French number, some among more of them are bytes.
    const pairs = part.every(({ digits }) => digits.length === 2);
    if (!pairs || (part.length === 5 && isAll(groups, first, last))) return { last, score: 0.5 };
  }
  return undefined;
}

const hasTrunk = (digits: string): boolean => digits.startsWith("0") && digits.charAt(1) !== "0";

/** `06.12.34.56.78`: French numbers in pairs with dots. */
function inDottedPairs(groups: readonly Group[], first: number): Shape | undefined {
  const last = first + 4;
  const part = groups.slice(first, last + 1);
  if (part.length < 5 || !hasTrunk(groups[first]?.digits ?? "") || !isAll(groups, first, last)) return undefined;
  const paired = part.every(({ digits, gap }, index) => digits.length === 2 && (index === 0 || gap === "."));
  return paired ? { last, score: 0.5 } : undefined;
}

const isEven = (groups: readonly Group[]): boolean =>
  groups.every(({ digits, gap }) => digits.length > 1 && !gap.includes("."));

const forms = [northAmerican, areaInBrackets, prefixed, withTrunkZero, inDottedPairs];

/** Any other number with the length of a phone number. It counts only with context. */
export function plain(groups: readonly Group[], first: number, end: number): Shape | undefined {
  const part = groups.slice(first, end);
  const digits = digitsOf(groups, first, end);
  if (!fits(digits, 6, 15) || hasDate(part) || isAddress(part) || hasStatus(part)) return undefined;
  const last = end - 1;
  if (part.length === 1) return { last, score: bare(digits) };
  const dotted = part.every(({ gap }, index) => index === 0 || gap === ".");
  if (dotted && (part.length === 2 || isAmount(part))) return undefined;
  return { last, score: dotted || isSsn(part) ? 0.1 : digits.length < 7 ? 0.15 : 0.25 };
}

function bare(digits: string): number {
  if (digits.length < 7 || isDay(digits)) return 0;
  if (digits.length === 7 || isTime(digits)) return 0.1;
  return hasTrunk(digits) ? 0.25 : 0.2;
}

/** Seconds or milliseconds since 1970. */
const isTime = (digits: string): boolean => /^1\d{9}(?:\d{3})?$/.test(digits);

/** `20240131`, also with the time: `20240131093344`, and its milliseconds. */
const isDay = (digits: string): boolean =>
  /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d(?:\d{3})?)?)?$/.test(
    digits,
  );

const isYear = (digits: string): boolean => /^(?:1[5-9]|20)\d\d$/.test(digits);

/** `2024-01-31` or `31.01.2024` among the groups, or nothing but years. */
const hasDate = (groups: readonly Group[]): boolean =>
  (groups.length > 1 && groups.every(({ digits }) => isYear(digits))) ||
  groups.some((_, index) => isDate(groups.slice(index, index + 3)));

function isDate(groups: readonly Group[]): boolean {
  if (groups.length < 3 || groups[1]?.gap !== groups[2]?.gap) return false;
  const [first = "", middle = "", last = ""] = groups.map(({ digits }) => digits);
  const isPart = (digits: string): boolean => digits.length < 3 && Number(digits) < 32;
  return isPart(middle) && ((isYear(first) && isPart(last)) || (isPart(first) && isYear(last)));
}

/** Four numbers of at most 255 with dots: an IP address. */
const isAddress = (groups: readonly Group[]): boolean =>
  groups.length === 4 && groups.every(({ digits, gap }, index) => Number(digits) < 256 && (index === 0 || gap === "."));

/** `550-5.1.1`: the reply of a mail server with an enhanced status code, which has three numbers (RFC 3463). */
const hasStatus = (groups: readonly Group[]): boolean =>
  groups.some(({ digits, gap }, index) => {
    const rest = groups.slice(index + 1, index + 3);
    return (
      /^[245]$/.test(digits) &&
      gap !== "." &&
      rest.length === 2 &&
      rest.every((group) => group.gap === "." && group.digits.length < 4) &&
      groups[index + 3]?.gap !== "."
    );
  });

/** `1.234.567` */
const isAmount = (groups: readonly Group[]): boolean =>
  groups.every(({ digits }, index) => (index === 0 ? digits.length < 4 : digits.length === 3));

/** `123-45-6789` */
const isSsn = (groups: readonly Group[]): boolean =>
  groups.length === 3 &&
  groups[0]?.digits.length === 3 &&
  groups[1]?.digits.length === 2 &&
  groups[2]?.digits.length === 4 &&
  groups[1].gap === groups[2].gap;

/** `02110-1301` */
const isZip = (groups: readonly Group[], first: number): boolean =>
  groups[first]?.digits.length === 5 && groups[first + 1]?.gap === "-" && groups[first + 1]?.digits.length === 4;

const isAll = (groups: readonly Group[], first: number, last: number): boolean =>
  first === 0 && last === groups.length - 1;

/** Returns true if a number can end here: the next group is separated by a space. */
const breaksAfter = (groups: readonly Group[], index: number): boolean => groups[index + 1]?.gap.includes(" ") ?? true;

/** All digits, without a trunk zero in brackets. */
function digitsOf(groups: readonly Group[], first: number, end: number): string {
  let digits = "";
  for (let index = first; index < end; index++) {
    const group = groups[index];
    if (group !== undefined && !(group.bracketed && group.digits === "0" && index > first)) digits += group.digits;
  }
  return digits;
}

const fits = (digits: string, least: number, most: number): boolean => digits.length >= least && digits.length <= most;
const has = (lengths: number, length: number): boolean => ((lengths >> length) & 1) !== 0;
