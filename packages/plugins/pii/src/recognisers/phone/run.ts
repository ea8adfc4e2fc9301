import { isDigit, isLatin, isWord, unitAt } from "../../scan/characters.js";
import type { Report } from "../../scan/recogniser.js";
import type { Group } from "./groups.js";
import { international, national, plain, type Shape } from "./shapes.js";

/** Tests if a number exists in the national plan of one of the rule's countries. */
export type IsNational = (number: string) => boolean;

/** The minimum score for a number that its form alone identifies. */
const surelyFormed = 0.4;
/** The amount that being such a number adds to a score. */
const regionBoost = 0.25;
/** The amount for digits in one piece, as in China, Italy and Norway. It is enough without a word before them. */
const bareBoost = 0.3;
/** The amount that an extension adds. */
const extensionBoost = 0.2;
const extension = /^[ \u00a0]?(?:x|ext\.?|extension)[ \u00a0]?\d{1,6}(?![0-9A-Za-z_])/i;
const longestExtension = 18;
const plus = 43;

/** One run of groups, and the numbers in it. */
export class Run {
  readonly #text: string;
  readonly #groups: readonly Group[];
  readonly #from: number;
  readonly #to: number;
  readonly #isNumber: IsNational | undefined;
  readonly #report: Report;

  constructor(
    text: string,
    groups: readonly Group[],
    from: number,
    to: number,
    isNumber: IsNational | undefined,
    report: Report,
  ) {
    this.#text = text;
    this.#groups = groups;
    this.#from = from;
    this.#to = to;
    this.#isNumber = isNumber;
    this.#report = report;
  }

  /** Reads the run. Parts with the form of a number come first; the rest is one number or none. */
  read(): void {
    const groups = this.#groups;
    let rest = 0;
    for (let first = 0; first < groups.length; first++) {
      const shape = this.#begins(first) ? this.#shaped(first) : undefined;
      if (shape === undefined || shape.score < surelyFormed || !this.#reportShape(first, shape)) continue;
      this.#rest(rest, first);
      first = shape.last;
      rest = first + 1;
    }
    this.#rest(rest, groups.length);
  }

  #shaped(first: number): Shape | undefined {
    return first === 0 && this.#plus() ? international(this.#groups, first) : national(this.#groups, first);
  }

  /** Reads groups without a form: together, or separately if there are too many. */
  #rest(first: number, end: number): void {
    if (first >= end) return;
    const shape = plain(this.#groups, first, end);
    if (shape !== undefined) this.#reportShape(first, shape);
    else if (end - first > 1) for (let one = first; one < end; one++) this.#rest(one, one + 1);
  }

  #reportShape(first: number, { last, score }: Shape): boolean {
    const start = this.#start(first);
    const end = this.#groups[last]?.end ?? start;
    const formed = score >= surelyFormed;
    const glue = first > 0 ? (this.#begins(first) ? 0 : 1) : this.#penalty(start, formed);
    if (start < this.#from || score - glue <= 0) return false;
    const added = extension.exec(this.#text.slice(end, Math.min(this.#to, end + longestExtension)))?.[0].length ?? 0;
    const grouped = formed || last > first || (first === 0 && this.#plus());
    if (added === 0 && !endsAt(this.#text, end, formed, grouped)) return false;
    const known = this.#isNumber?.(this.#text.slice(start, end)) ? (last > first ? regionBoost : bareBoost) : 0;
    this.#report(start, end + added, Math.min(1, score - glue + known + (added > 0 ? extensionBoost : 0)));
    return true;
  }

  /** Returns true if the group is not joined to the previous one. */
  #begins(first: number): boolean {
    return first === 0 || (this.#groups[first]?.gap.includes(" ") ?? false);
  }

  #plus(): boolean {
    let start = (this.#groups[0]?.start ?? 0) - 1;
    if (unitAt(this.#text, start) === 40) start--;
    // `C++14 20.8`
    return unitAt(this.#text, start) === plus && unitAt(this.#text, start - 1) !== plus;
  }

  /** The beginning of a number that begins with this group, with its plus and its bracket. */
  #start(first: number): number {
    const group = this.#groups[first];
    if (group === undefined) return 0;
    let start = group.start;
    if (first === 0) {
      if (unitAt(this.#text, start - 1) === plus) start--;
      if (group.bracketed) start = this.#text.lastIndexOf("(", start);
      if (unitAt(this.#text, start - 1) === plus) start--;
      return start;
    }
    return group.bracketed ? start - (group.gap.length - group.gap.lastIndexOf("(")) : start;
  }

  /**
   * Returns the amount that the characters before the first group subtract from its score. 1 if it cannot be a number.
   */
  #penalty(start: number, formed: boolean): number {
    const before = unitAt(this.#text, start - 1);
    const second = unitAt(this.#text, start - 2);
    // `Phone+1 212 555 0132`: only a plus begins a number within a word.
    if (isWord(before) || isLatin(before)) return !isDigit(before) && this.#plus() && this.#groups.length > 1 ? 0.3 : 1;
    if (before === 64) return isWord(second) ? 1 : 0;
    // `[1234567](https://…)`: more often a commit or an issue.
    if (before === 91) return 0.05;
    if (marksBefore.has(before)) return 1;
    // `1.234 567`, `id-12`, `a/12`, `12:30`; a comma may also part the fields of a line.
    if (before === 46 || before === 45 || before === 47) return isWord(second) ? 1 : 0;
    if (before === 58 || before === 41) return isDigit(second) ? 1 : 0;
    return before === 44 && isDigit(second) && !formed && this.#groups[0]?.digits.length === 3 ? 1 : 0;
  }
}

/** Marks before digits that are something else: an issue, a colour, an amount, an escape, a part of a name. */
const marksBefore = new Set([..."#$£€¥_\\^+%&"].map((mark) => mark.charCodeAt(0)));

/**
 * Returns true if a number may end here: not in a decimal, a time, a percentage, a word or an e-mail address. A comma
 * may part the fields of a line.
 */
function endsAt(text: string, end: number, formed: boolean, grouped: boolean): boolean {
  const after = unitAt(text, end);
  if (isWord(after) || isLatin(after) || after === 37 || after === 64 || after === 95) return false;
  if (!isDigit(unitAt(text, end + 1))) return true;
  if (after === 44) return formed || (grouped && isDigit(unitAt(text, end - 4)));
  return !(after === 46 || after === 58 || after === 45 || after === 47);
}
