import { DIGIT, isDigit, kinds, SPACE, unitAt } from "../scan/characters.js";
import { isDash } from "../scan/dash.js";
import type { Joins } from "../scan/recogniser.js";

/** The groups of digits in printed and typed card numbers, longest first. */
const groupings: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4],
  [4, 4, 8],
  [8, 8],
  [6, 13],
  [4, 6, 5],
  [4, 6, 4],
  [2, 2, 2, 2, 2, 2, 2, 2],
];
/** The lengths that a second group can have, by that of the first: bit n for n digits. */
const seconds: readonly number[] = groupings.reduce<number[]>((lengths, [first = 0, second = 0]) => {
  lengths[first] = (lengths[first] ?? 0) | (1 << second);
  return lengths;
}, []);
const most = 14;
const space = 32;
const hyphen = 45;

/** Digits in groups, and how sure the way they are written makes it that they are one number. */
export interface Groups {
  readonly end: number;
  readonly style: "printed" | "marked" | "loose";
}

/** The separator between two groups: its first character, and how long it is. */
interface Separator {
  readonly code: number;
  readonly length: number;
  readonly style: Groups["style"];
}

const none: readonly Groups[] = [];

/** The groupings that begin with the group `[at, end)`, each with the same separator throughout. */
export function groupsFrom(text: string, at: number, end: number, to: number): readonly Groups[] {
  // Most groups are of a time, a decimal or a column.
  const second = end + gapLength(text, end);
  if ((((seconds[end - at] ?? 0) >> digitsAt(text, second, to)) & 1) === 0) return none;
  // Most pairs are of a day or a time.
  if (end - at === 2 && unitAt(text, end + 3) !== unitAt(text, end)) return none;
  const separator = separatorAt(text, end);
  if (separator === undefined) return none;
  const found: Groups[] = [];
  for (const grouping of groupings) {
    if (grouping[0] !== end - at) continue;
    const groups = read(text, at, to, separator, grouping);
    if (groups !== undefined) found.push(groups);
  }
  return found;
}

/** Two spaces, or the two characters of a line end, are one gap. */
const gapLength = (text: string, at: number): number => {
  const code = unitAt(text, at);
  return code === 13 || (code === space && unitAt(text, at + 1) === space) ? 2 : 1;
};

/** The number of digits from `at` on; of more, `most`. */
function digitsAt(text: string, at: number, to: number): number {
  const limit = Math.min(to, at + most);
  let end = at;
  while (end < limit && isDigit(text.charCodeAt(end))) end++;
  return end - at;
}

function separatorAt(text: string, at: number): Separator | undefined {
  const code = unitAt(text, at);
  if (code === space && unitAt(text, at + 1) === space) return { code, length: 2, style: "loose" };
  if (code === hyphen || isSpace(code)) return { code, length: 1, style: "printed" };
  if (lineBreak(text, at) > 0) return { code: space, length: 1, style: "loose" };
  return code === 46 || code === 47 || code === 95 || isDash(code) ? { code, length: 1, style: "marked" } : undefined;
}

function read(
  text: string,
  at: number,
  to: number,
  separator: Separator,
  sizes: readonly number[],
): Groups | undefined {
  let { style } = separator;
  let index = at;
  for (const size of sizes) {
    if (index > at) {
      const gap = gapAt(text, index, separator);
      if (gap === 0) return undefined;
      if (isLineEnd(unitAt(text, index))) {
        // Elsewhere the text may have been cut here.
        if (!bridges(text, index)) return undefined;
        style = "loose";
      }
      index += gap;
    }
    const stop = index + size;
    if (stop > to) return undefined;
    while (index < stop) if (!isDigit(text.charCodeAt(index++))) return undefined;
    if (isDigit(unitAt(text, stop))) return undefined;
  }
  // Pairs, and halves, are parts of a longer row of numbers as well.
  if ((sizes[0] === 2 || sizes[0] === 8) && (follows(text, at, separator) || precedes(text, index, separator)))
    return undefined;
  return { end: index, style };
}

/** The separator, or one line break in its place. */
function gapAt(text: string, at: number, { code, length }: Separator): number {
  for (let index = at; index < at + length; index++) if (text.charCodeAt(index) !== code) return lineBreak(text, at);
  return length;
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13;

/** Returns the length of the line break that begins at `at`, or 0 if it is absent. */
const lineBreak = (text: string, at: number): number =>
  unitAt(text, at) === 10 ? 1 : unitAt(text, at) === 13 && unitAt(text, at + 1) === 10 ? 2 : 0;

const follows = (text: string, at: number, { code, length }: Separator): boolean =>
  unitAt(text, at - 1) === code && isDigit(unitAt(text, at - 1 - length));

const precedes = (text: string, at: number, { code, length }: Separator): boolean =>
  unitAt(text, at) === code && isDigit(unitAt(text, at + length));

const isSpace = (code: number): boolean => ((kinds[code] ?? 0) & SPACE) !== 0;
const isAnyDigit = (code: number): boolean => ((kinds[code] ?? 0) & DIGIT) !== 0;

/** The pairs of lengths that groups next to each other have. */
const neighbours: readonly (readonly [number, number])[] = groupings.flatMap((sizes) =>
  sizes.slice(1).map((size, index) => [sizes[index] ?? 0, size] as const),
);

/** A number may go on over one space, and over two between groups as long as those of a card. */
export const joins: readonly Joins[] = [
  { before: "0123456789", after: "0123456789" },
  {
    before: "0123456789",
    after: "0123456789",
    spaces: 2,
    inside(text, start, end) {
      const before = digitsBefore(text, start);
      const after = digitsAt(text, end, text.length);
      const open = end + after === text.length;
      return neighbours.some(([first, second]) => first === before && (second === after || (open && after < second)));
    },
  },
];

/** The number of digits before `end`; of more, `most`. */
function digitsBefore(text: string, end: number): number {
  let start = end;
  while (end - start < most && isDigit(unitAt(text, start - 1))) start--;
  return end - start;
}

/**
 * Returns true if a card may continue over a dash between digits, or over a line end after two groups of four or eight
 * digits.
 */
export function bridges(text: string, index: number): boolean {
  const code = unitAt(text, index);
  const known = index + 1 < text.length;
  if (isDash(code)) return isAnyDigit(unitAt(text, index - 1)) && (!known || isAnyDigit(unitAt(text, index + 1)));
  if (!isLineEnd(code)) return false;
  const isFirst = code === 13;
  if (isFirst && index + 1 < text.length && unitAt(text, index + 1) !== 10) return false;
  const end = !isFirst && unitAt(text, index - 1) === 13 ? index - 1 : index;
  const next = index + (isFirst ? 2 : 1);
  return (
    isDigit(unitAt(text, end - 1)) &&
    beforeBreak.test(text.slice(Math.max(0, end - longestWrapped), end)) &&
    behindBreak.test(text.slice(next, next + 9))
  );
}

const longestWrapped = 16;
const beforeBreak = /(?:^|\D)(?:\d{8}|\d{4}[ -]\d{4}(?:[ -]\d{4})?)$/;
/** Four or eight digits, or what may become that. */
const behindBreak = /^\d{0,8}$|^(?:\d{4}){1,2}\D/;
