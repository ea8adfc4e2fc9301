import { isDigit, kinds, SPACE, unitAt } from "../../scan/characters.js";

/** Digits without a mark between them, as one part of a number. */
export interface Group {
  readonly start: number;
  readonly end: number;
  readonly digits: string;
  /** The text between the group before and this one, each space as ` `; empty for the first one. */
  readonly gap: string;
  /** True if it is in round brackets. */
  bracketed: boolean;
}

/** The maximum number of groups in any number. A longer sequence is a table. */
export const mostGroups = 12;
const longestGap = 4;
/** The gaps of more than one mark. A space in them is one that `joins` of the recogniser knows. */
const gaps = /^(?: ?[-/] ?| ?\( ?|-\(| ?\)(?: ?|\.| ?- ?)| ?\) ?\( ?)$/;

/** Reads the groups of digits from `at` on, separated by marks of phone numbers. */
export function readGroups(text: string, at: number, to: number): Group[] {
  const groups: Group[] = [];
  let gap = "";
  for (let start = at; ; ) {
    const end = digitsEnd(text, start, to);
    groups.push({ start, end, digits: text.slice(start, end), gap, bracketed: false });
    if (groups.length === mostGroups) break;
    const next = gapEnd(text, end, to);
    if (next === end) break;
    if (next - end > 1 && !isGap(text, end, next)) break;
    gap = spaced(text, end, next);
    start = next;
  }
  for (let index = 1; index < groups.length; index++) {
    const group = groups[index - 1];
    if (group === undefined || !groups[index]?.gap.includes(")")) continue;
    group.bracketed = index === 1 ? opens(text, at) : group.gap.includes("(");
  }
  return groups;
}

/** The end of the digits that begin at `at`. */
export function digitsEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Returns the index of a digit after at most four marks, or `at` if it is absent. */
export function gapEnd(text: string, at: number, to: number): number {
  const limit = Math.min(to, at + longestGap + 1);
  for (let index = at; index < limit; index++) {
    const code = unitAt(text, index);
    if (isDigit(code)) return index;
    if (!isInGap(code)) break;
  }
  return at;
}

/** Space, brackets, hyphen, dot, slash. */
const isInGap = (code: number): boolean =>
  code === 40 || code === 41 || (code >= 45 && code <= 47) || ((kinds[code] ?? 0) & SPACE) !== 0;

/**
 * Returns the beginning of the digits and marks around `at`, not before `low`. A run of groups begins there or later.
 */
export function runStart(text: string, at: number, low: number): number {
  let start = at;
  for (; start > low; start--) {
    const code = text.charCodeAt(start - 1);
    if (!isDigit(code) && !isInGap(code)) break;
  }
  return start;
}

const space = 32;

/**
 * Returns true if several marks, followed by a digit, may separate two groups of a number. Two spaces are mostly those
 * of a table.
 */
export function isGap(text: string, from: number, to: number): boolean {
  if (unitAt(text, from) === space && unitAt(text, from + 1) === space) return false;
  return gaps.test(spaced(text, from, to));
}

/** The marks of a gap, all spaces alike. */
function spaced(text: string, from: number, to: number): string {
  if (to - from > 1) return text.slice(from, to).replaceAll(/[^-./()]/g, " ");
  const code = unitAt(text, from);
  return code === 32 || code > 127 ? " " : text.charAt(from);
}

/** `(`, `(+` or `( ` before the first group. */
function opens(text: string, at: number): boolean {
  const before = unitAt(text, at - 1);
  return before === 40 || ((before === 43 || before === 32) && unitAt(text, at - 2) === 40);
}
