import { isDigit, isWord, unitAt } from "../../scan/characters.js";
import type { Joins, Recogniser } from "../../scan/recogniser.js";
import { labelSetOf } from "../../scan/words.js";
import { readGroups, runStart } from "./groups.js";
import { type CountryCode, countries, inE164, isNational } from "./plans.js";
import { Run } from "./run.js";
import { survey } from "./survey.js";

const digit = "0123456789";
const labels = labelSetOf(["phone"]);

/** The possible continuations of a number after a space: groups, brackets, an extension. */
const joins: readonly Joins[] = [
  { before: digit, after: `${digit}(-/)` },
  { before: ")", after: `${digit}(-`, inside: afterDigit },
  { before: "-/", after: digit, inside: afterDigit },
  { before: "(", after: digit },
  { before: digit, after: "xXeE", inside: (text, index) => isExtension(text.slice(index + 1, index + 6)) },
  {
    before: "xXtT.",
    after: digit,
    inside: (text, index) => /\d ?(?:x|ext\.?)$/i.test(text.slice(Math.max(0, index - 6), index)),
  },
];

/**
 * Sites of every number: not after a letter or digit, so many digits, or groups of them. Decimals match only if more
 * follows.
 */
const anyNumber: readonly string[] = ["vd{7}", "vd+hd", "vd+gg", "vd+.d+g", "+d+.d"];
/** The forms that identify a number without context. Each is short, but long enough to be rare in most texts. */
const formedNumber: readonly string[] = [
  // A plus, or a bracket around an area code.
  "+(?d{7}",
  "+(?d+g+d",
  "(u?d+u?)g*d",
  // North America's groups.
  "^ddd-ddd-d",
  "^ddd.ddd.d",
  "^dddudddud",
  // An international prefix or a trunk zero at the beginning of a run, or of a group after a space.
  "r0dg*dg*d",
  "vi0dg*dg*d",
];

/**
 * Returns true if the characters next to digits allow a number: it is not part of a word. `x` and `e` may begin an
 * extension.
 */
function standsAlone(text: string, start: number, end: number): boolean {
  const after = unitAt(text, end);
  return !isWord(unitAt(text, start - 1)) && (!isWord(after) || (after | 32) === 120 || (after | 32) === 101);
}

function afterDigit(text: string, index: number): boolean {
  return /\p{Nd}(?: ?\))?(?: ?[-/])?$/u.test(text.slice(Math.max(0, index - 5), index));
}

/** `x123`, `ext. 123`, or what may become one. */
const isExtension = (text: string): boolean => /^(?:x ?|x ?\d.*|e|ex|ext.*)$/is.test(text);

/**
 * Phone numbers. With a country calling code (ITU-T E.164), the length must be valid for the country. Otherwise they
 * are recognised by their notation and by the text before them. Plain digits need a keyword, a country in the rule's
 * `regions`, or, with a trunk zero, to be the whole text. Lengths and national plans come from libphonenumber's
 * metadata.
 *
 * @example +1 212 555 0147
 */
export const phone: Recogniser & { readonly type: "phone" } = make();

function make(regions: readonly CountryCode[] = []): Recogniser & { readonly type: "phone" } {
  // Every number of such a country is one, whatever stands before it.
  const isNumber = regions.length === 0 ? undefined : (number: string): boolean => isNational(number, regions);
  return {
    type: "phone",
    triggers: digit,
    ...(isNumber === undefined
      ? { sites: formedNumber, doubtful: { labels, sites: anyNumber } }
      : { sites: anyNumber }),
    reach: 20,
    begin: runStart,
    joins,
    labels: { phone: 0.4, other: -0.2, id: -0.2 },
    // Too little for digits without a form, which are as often an order number.
    alone: 0.25,
    look(text, at, from, to, report, words) {
      if (at > from && isDigit(unitAt(text, at - 1))) return at + 1;
      const { end, formed, sized, whole } = survey(text, at, to);
      if (!formed && (!sized || (whole && !standsAlone(text, at, end)))) return end;
      // Groups without a form need a keyword, a country of the rule, or to be the whole text.
      const isDoubtful = !formed && isNumber === undefined && words !== undefined && at > 0;
      if (isDoubtful && !words.mayPrecede(labels, at, end)) return end;
      const groups = readGroups(text, at, to);
      new Run(text, groups, from, to, isNumber, report).read();
      return end;
    },
    inRegions(codes) {
      return make(countries(codes));
    },
    normal: (value) => inE164(value, regions),
    mask(value) {
      return `***-***-${value.replaceAll(/[^\p{Nd}]/gu, "").slice(-4)}`;
    },
  };
}
