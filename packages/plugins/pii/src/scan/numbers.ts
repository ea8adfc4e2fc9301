import { isDash } from "../recognisers/dash.js";
import { isDigit, isWord, kinds, SPACE } from "./characters.js";

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

/** From each UTF-16 unit to the flag of the mark that it is; `DECIMAL` for a dot. */
const marks = new Uint8Array(65536);
for (let code = 0; code < 65536; code++) {
  if (((kinds[code] ?? 0) & SPACE) !== 0) marks[code] = SPACED;
  else if (isDash(code)) marks[code] = RARE;
}
for (const [set, flag] of [
  [".", DECIMAL],
  ["-", HYPHEN],
  ["/()", SLASHED],
  ["_\n\r", RARE],
] as const) {
  for (const mark of set) marks[mark.charCodeAt(0)] = flag;
}

/** How many kinds of runs there are. */
export const runKinds = (longest + 1) * followers * 2;

/** The kind of the run `[at, end)`: its length, what follows it, and whether it begins within a word. */
export function runKind(text: string, at: number, end: number): number {
  const length = Math.min(end - at, longest);
  const before = text.charCodeAt(at - 1);
  const glued = isWord(before) || before === 95 || before === 43 ? 1 : 0;
  return (length * followers + 31 - Math.clz32(followerAt(text, end))) * 2 + glued;
}

function followerAt(text: string, end: number): number {
  const code = text.charCodeAt(end);
  const mark = marks[code] ?? 0;
  if (mark === 0) return isWord(code) ? WORD : NOTHING;
  const next = text.charCodeAt(end + 1);
  if (isDigit(next)) return mark === DECIMAL ? fraction(text, end + 2) : mark;
  if ((marks[next] ?? 0) > 0) return MARKS;
  return mark === SPACED ? BLANK : code === 95 ? WORD : NOTHING;
}

function fraction(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return (marks[text.charCodeAt(end)] ?? 0) > 0 ? DOTTED : DECIMAL;
}

/** Whether a run of this kind is among those that somebody looks at. */
export function isAmong({ lengths = -1, glued, before = -1 }: Numbers, kind: number): boolean {
  const run = kind >> 1;
  const length = Math.floor(run / followers);
  return ((lengths >>> length) & 1) !== 0 && (before & (1 << (run % followers))) !== 0 && (!glued || (kind & 1) === 1);
}
