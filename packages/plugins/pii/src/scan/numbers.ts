import { isDash } from "../recognisers/dash.js";
import { isDigit, isWord, kinds, SPACE, unitAt } from "./characters.js";

/** What follows a run of digits, as flags: a mark that numbers go on over, with another digit right behind it. */
export const HYPHEN = 1;
/** A slash, or a bracket. */
export const SLASHED = 2;
export const SPACED = 4;
/** An underscore, a dash, a line end. */
export const RARE = 8;
/** A dot and more digits, and with them the number ends: most numbers of tables do. */
export const DECIMAL = 16;
/** A dot and more digits, and then one of these marks. */
export const DOTTED = 32;
/** Several marks one after another. */
export const MARKS = 64;
/** A space, and no digit. */
export const BLANK = 128;
/** A letter or an underscore. */
export const WORD = 256;
/** Anything else. */
const NOTHING = 512;
const followers = 10;

/** A number may go on behind all of these. */
export const GOES_ON = HYPHEN | SLASHED | SPACED | RARE | DECIMAL | DOTTED | MARKS;

/** Runs of digits that somebody looks at: those that have all that is said here. */
export interface Numbers {
  /** How many digits they have: see `digits`. */
  readonly lengths?: number;
  /** A letter, an underscore or a plus stands before them. */
  readonly glued?: true;
  /** What follows them, as a set of flags. */
  readonly before?: number;
}

/** Longer runs count as so long. */
const longest = 31;

/** Lengths of runs as a set: bit n for n digits, 31 for all that are longer. */
export function digits(first: number, last = first): number {
  let set = 0;
  for (let length = first; length <= Math.min(last, longest); length++) set |= 1 << length;
  return set;
}

/** From each UTF-16 unit to the place of the flag of the mark that it is, plus one; `inWord` for what is part of a word. */
const marks = new Uint8Array(65536);
const inWord = 16;
const placeOf = (flag: number): number => Math.log2(flag);
for (let code = 0; code < 65536; code++) {
  if (((kinds[code] ?? 0) & SPACE) !== 0) marks[code] = placeOf(SPACED) + 1;
  else if (isDash(code)) marks[code] = placeOf(RARE) + 1;
  else if (isWord(code)) marks[code] = inWord;
}
for (const [set, flag] of [
  [".", DECIMAL],
  ["-", HYPHEN],
  ["/()", SLASHED],
  ["_\n\r", RARE],
] as const) {
  for (const mark of set) marks[mark.charCodeAt(0)] = placeOf(flag) + 1;
}
const nothing = placeOf(NOTHING);
const word = placeOf(WORD);
const several = placeOf(MARKS);
const spaced = placeOf(SPACED);
const blank = placeOf(BLANK);
const decimal = placeOf(DECIMAL);
const dotted = placeOf(DOTTED);

/** How many kinds of runs there are. */
export const runKinds = (longest + 1) * followers * 2;

/** The kind of the run `[at, end)`: its length, what follows it, and whether it begins within a word. */
export function runKind(text: string, at: number, end: number): number {
  const length = Math.min(end - at, longest);
  const before = unitAt(text, at - 1);
  const glued = marks[before] === inWord || before === 95 || before === 43 ? 1 : 0;
  return (length * followers + followerAt(text, end)) * 2 + glued;
}

/** The place of the flag. */
function followerAt(text: string, end: number): number {
  const code = unitAt(text, end);
  const mark = marks[code] ?? 0;
  if (mark === 0) return nothing;
  if (mark === inWord) return word;
  const next = unitAt(text, end + 1);
  if (isDigit(next)) return mark === decimal + 1 ? fraction(text, end + 2) : mark - 1;
  const second = marks[next] ?? 0;
  if (second > 0 && second < inWord) return several;
  return mark === spaced + 1 ? blank : code === 95 ? word : nothing;
}

function fraction(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  const mark = marks[unitAt(text, end)] ?? 0;
  return mark > 0 && mark < inWord ? dotted : decimal;
}

/** Whether a run of this kind is among those that somebody looks at. */
export function isAmong({ lengths = -1, glued, before = -1 }: Numbers, kind: number): boolean {
  const run = kind >> 1;
  const length = Math.floor(run / followers);
  return ((lengths >>> length) & 1) !== 0 && (before & (1 << (run % followers))) !== 0 && (!glued || (kind & 1) === 1);
}
