import { isDash } from "../recognisers/dash.js";
import { isDigit, isWord, kinds, SPACE } from "./characters.js";

/** What follows a run of digits: nothing that a number goes on over, or a mark with another digit right behind it. */
export const NOTHING = 1;
export const DOT = 2;
export const HYPHEN = 4;
export const SPACED = 8;
/** Slash, bracket. */
export const MARK = 16;
/** Underscore, dash, line end. */
export const RARE = 32;
/** Several of these marks. */
export const MARKS = 64;
/** A letter or an underscore. */
export const WORD = 128;
export const ANY = 255;
const followers = 8;

/** Runs of digits that somebody looks at. */
export interface Numbers {
  /** How many digits, as bits: see `digits`. Default: any. */
  readonly lengths?: number;
  /** Whether a letter, a digit or an underscore must stand before them. */
  readonly glued?: true;
  /** What follows, as a set of flags. Default: anything. */
  readonly before?: number;
}

/** Longer runs count as so long. */
const longest = 31;

/** Lengths of runs as a set: bit n for n digits, 31 for all that are longer. */
export const digits = (first: number, last = first): number => {
  let set = 0;
  for (let length = first; length <= Math.min(last, longest); length++) set |= 1 << length;
  return set;
};

/** From each UTF-16 unit to the place of its flag among the marks that numbers go on over; 0: it is none. */
const marks = new Uint8Array(65536);
for (let code = 0; code < 65536; code++) {
  if (((kinds[code] ?? 0) & SPACE) !== 0) marks[code] = 3;
  else if (isDash(code)) marks[code] = 5;
}
for (const [place, set] of [".", "-", "", "/()", "_\n\r"].entries()) {
  for (const mark of set) marks[mark.charCodeAt(0)] = place + 1;
}

/** How many kinds of runs there are. */
export const runKinds = (longest + 1) * followers * 2;

/** The kind of the run `[at, end)`: its length, what follows it, and whether it begins within a word. */
export function runKind(text: string, at: number, end: number): number {
  const length = Math.min(end - at, longest);
  return (length * followers + followerAt(text, end)) * 2 + (isGlued(text.charCodeAt(at - 1)) ? 1 : 0);
}

function followerAt(text: string, end: number): number {
  const code = text.charCodeAt(end);
  const mark = marks[code] ?? 0;
  if (mark === 0) return isGlued(code) ? 7 : 0;
  const next = text.charCodeAt(end + 1);
  if (isDigit(next)) return mark;
  if ((marks[next] ?? 0) > 0) return 6;
  return code === 95 ? 7 : 0;
}

const isGlued = (code: number): boolean => isWord(code) || code === 95;

/** Whether a run of this kind is among those that somebody looks at. */
export function isAmong({ lengths = -1, glued, before = ANY }: Numbers, kind: number): boolean {
  const follower = (kind >> 1) % followers;
  const length = ((kind >> 1) / followers) | 0;
  return ((lengths >>> length) & 1) !== 0 && (before & (1 << follower)) !== 0 && (!glued || (kind & 1) === 1);
}
