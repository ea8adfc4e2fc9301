import { unitAt } from "../../scan/characters.js";
import { digitsEnd, gapEnd, isGap, mostGroups } from "./groups.js";

/** The shortest national number with its area code, in digits, and the longest of E.164. */
const least = 6;
const most = 15;
const shortestBare = 7;
/** The minimum number of digits with a trunk zero or a prefix. */
const leastPrefixed = 8;
const space = 32;
const plus = 43;
const dot = 46;
const slash = 47;
const openingBracket = 40;
const closingBracket = 41;

/** A run of groups, checked before any part of it is copied: most runs are columns, times and versions. */
export interface Survey {
  end: number;
  /**
   * True if the run may contain a number in a form that only phone numbers have: with a plus, a bracket, a trunk zero
   * or an international prefix, in groups of 3, 3 and 4 digits (North America), or in five pairs (`06.12.34.56.78`).
   */
  formed: boolean;
  /** True if the run, or one of its groups, has as many digits as a phone number without such a form. */
  sized: boolean;
  /** True if it is one number or none: it contains nothing that separates two numbers. */
  whole: boolean;
}

/** The last run that was checked. */
const lastSurvey: Survey = { end: 0, formed: false, sized: false, whole: false };

/** Looks at the run of groups that begins at `at`, as `readGroups` would read it. */
export function survey(text: string, at: number, to: number): Survey {
  const before = unitAt(text, at - 1);
  let formed = before === plus || before === openingBracket || unitAt(text, at - 2) === openingBracket;
  let digits = 0;
  let longest = 0;
  /** True if a number with a trunk zero or a prefix may begin in it. */
  let prefixed = false;
  /** True if a number may begin with the group: it is the first one or follows a space. */
  let begins = true;
  let whole = true;
  /** The lengths of the two previous groups, and the marks after them. */
  let third = 0;
  /** The number of groups before, if all of them have two digits. */
  let pairs = 0;
  let second = 0;
  let gapBefore = 0;
  let gap = 0;
  let start = at;
  let end = at;
  for (let count = 1; ; count++) {
    end = digitsEnd(text, start, to);
    const length = end - start;
    digits += length;
    if (length > longest) longest = length;
    pairs = length === 2 && pairs === count - 1 ? count : 0;
    // `06.12.34.56.78`
    formed ||= pairs === 5 && unitAt(text, at) === 48 && unitAt(text, at + 1) !== 48;
    // `415 555 0132`
    formed ||= length === 4 && second === 3 && third === 3 && gap === gapBefore;
    const zero = begins && length > 1 && unitAt(text, start) === 48;
    const next = unitAt(text, start + 1);
    // `00 49 …`, `011 …`
    prefixed ||= zero && (next === 48 || (length === 3 && next === 49));
    if (count === mostGroups) {
      whole = false;
      break;
    }
    const then = gapEnd(text, end, to);
    if (then === end || (then - end > 1 && !isGap(text, end, then))) break;
    begins = false;
    let dotted = false;
    for (let index = end; index < then; index++) {
      const code = text.charCodeAt(index);
      formed ||= code === openingBracket || code === closingBracket;
      dotted ||= code === dot;
      begins ||= isSpace(code);
    }
    whole &&= !begins;
    // `030 …`
    prefixed ||= zero && !dotted;
    third = second;
    second = length;
    gapBefore = gap;
    gap = begins ? space : unitAt(text, end);
    start = then;
  }
  // A single short group contains no site of a phone number, so it is only read if a site of other text is near. Where
  // the text is cut must not change the result: such a group is never a number.
  const short = start === at && longest < shortestBare;
  lastSurvey.end = end;
  lastSurvey.formed = !short && (formed || (prefixed && digits >= leastPrefixed));
  lastSurvey.sized = !short && (longest >= shortestBare || (digits >= least && digits <= most));
  lastSurvey.whole = whole;
  return lastSurvey;
}

const isSpace = (code: number): boolean => code > slash || code < openingBracket;
