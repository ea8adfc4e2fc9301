import { isWord } from "../../scan/characters.js";
import type { Joins, Recogniser } from "../../scan/recogniser.js";
import { begins, ends } from "./edges.js";
import { afterWords } from "./words.js";

const digits = "0123456789";
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** The longest form, in UTF-16 units, and how far before its first word with a digit it may begin. */
const longest = 40;
const longestLead = 14;
/** The amount that a keyword adds to a score, and the maximum score that results. */
const boost = 0.4;
const surest = 0.95;

/** One notation of a value. */
interface Form {
  /** Matches from the first character of a word on, spaces and marks included; it has a longest match. */
  readonly pattern: RegExp;
  /** The score of a value by itself. Below 0.5 it needs a word before it. */
  readonly score: number;
  /** Matches the text before the word with the first digit, if it is part of the value: `AB ` of `AB 12 34 56 C`. */
  readonly lead?: RegExp;
  /** Checks a value in this form, in addition to the identifier's own check. */
  readonly check?: (value: string) => boolean;
}

/** An identifier whose form is defined by an authority or a standard. */
export interface Identifier<Type extends string> {
  readonly type: Type;
  readonly forms: readonly Form[];
  /** Keywords, in lower case here, matched in any case. A space matches a space, a mark or nothing. */
  readonly words: readonly string[];
  /** The maximum number of units between a keyword and the value; none of them may be a digit. Default: 40. */
  readonly near?: number;
  /** Returns true if other text before the value identifies it. */
  readonly alsoAfter?: (before: string) => boolean;
  /**
   * Checks a value, for example its check digits. Receives it without spaces and marks, in capitals, and as written.
   */
  readonly check?: (value: string, written: string) => boolean;
  /** Returns the canonical spelling of a value. Default: without spaces and marks, in capitals. */
  readonly spelling?: (value: string) => string;
  /** Each match contains at least one of these characters. Default: digits. */
  readonly triggers?: string;
  readonly joins?: readonly Joins[];
  readonly mask?: (value: string) => string;
}

/**
 * Groups of digits and capitals may continue over a space. All identifiers share this array, since each one adds to the
 * cost of cutting a text.
 */
const joins: readonly Joins[] = [
  { before: digits, after: digits + capitals },
  {
    before: capitals,
    after: digits,
    inside: (text, index) => /(?:^|[^0-9A-Za-z])[0-9A-Z]{1,6}$/.test(text.slice(Math.max(0, index - 7), index)),
  },
];

/**
 * Creates a recogniser of an identifier. It reads each word with a trigger once, and after it as far as the form is
 * long.
 */
export function identifier<const Type extends string>(of: Identifier<Type>): Recogniser & { readonly type: Type } {
  const { type, alsoAfter, triggers = digits, spelling = compact, mask = lastFour } = of;
  const forms = of.forms.map((form) => compile(form, of));
  const isNamed = afterWords(of.words, of.near);
  return {
    type,
    triggers,
    anyCase: true,
    joins: of.joins === undefined ? joins : [...joins, ...of.joins],
    look(text, at, from, to, report) {
      let start = at;
      while (start > from && isWord(text.charCodeAt(start - 1))) start--;
      let word = at + 1;
      while (word < to && isWord(text.charCodeAt(word))) word++;
      for (const form of forms) {
        const [first, end] = read(form, text, start, from, to);
        if (end <= at) continue;
        report(first, end, form.score);
        return Math.max(end, word);
      }
      return word;
    },
    weigh: (score, before) =>
      isNamed(before) || alsoAfter?.(before) === true ? Math.min(score + boost, surest) : score,
    normal: spelling,
    mask,
  };
}

interface CompiledForm extends Omit<Form, "check"> {
  readonly check: (value: string, written: string) => boolean;
}

const compile = (form: Form, { check }: Identifier<string>): CompiledForm => ({
  ...form,
  check: (value, written) => check?.(value, written) !== false && form.check?.(value) !== false,
  pattern: new RegExp(`^(?:${form.pattern.source})`, form.pattern.flags),
});

const nowhere: readonly [number, number] = [0, -1];

/**
 * Returns the place of a value in this form whose first word with a digit begins at `start`. The end is -1 if there is
 * none.
 */
function read(form: CompiledForm, text: string, start: number, from: number, to: number): readonly [number, number] {
  const first = form.lead === undefined ? start : led(text, form.lead, from, start);
  if (first < 0 || !begins(text, first)) return nowhere;
  const following = text.slice(first, Math.min(to, first + longest)).replaceAll(spaces, " ");
  const written = form.pattern.exec(following)?.[0];
  if (written === undefined || !ends(text, first, first + written.length)) return nowhere;
  return form.check(compact(written), written) ? [first, first + written.length] : nowhere;
}

/** Non-ASCII spaces that may occur in numbers. */
const spaces = /[\u00a0\u2007\u2009\u202f]/g;

/** Returns the beginning of the lead before `start`, or -1 if it is absent. */
function led(text: string, lead: RegExp, from: number, start: number): number {
  const before = text.slice(Math.max(from, start - longestLead), start).replaceAll(spaces, " ");
  const found = lead.exec(before);
  return found === null || found.index + found[0].length !== before.length ? -1 : start - found[0].length;
}

/** The value without spaces and marks, in capitals. */
const compact = (value: string): string => value.replaceAll(/[^0-9A-Za-z]/g, "").toUpperCase();

function lastFour(value: string): string {
  const plain = value.replaceAll(/[^\p{L}\p{Nd}]/gu, "");
  return plain.length < 9 ? "****" : `****${plain.slice(-4)}`;
}
