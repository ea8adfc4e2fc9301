import { isWord } from "../../scan/characters.js";
import type { Joins, Recogniser } from "../../scan/recogniser.js";
import { begins, ends } from "./edges.js";
import { behind } from "./words.js";

const digits = "0123456789";
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** The longest form, in UTF-16 units, and how far before its first word with a digit it may begin. */
const longest = 40;
const longestLead = 14;
/** The amount that a word before a value adds to its score, and what it makes of it at most. */
const boost = 0.4;
const surest = 0.95;

/** One way in which a value is written. */
interface Form {
  /** Matches from the first character of a word on, spaces and marks included; it has a longest match. */
  readonly pattern: RegExp;
  /** The score of a value by itself. Below 0.5 it needs a word before it. */
  readonly score: number;
  /** The text before the word in which the first digit is, where it belongs to the value: `AB ` of `AB 12 34 56 C`. */
  readonly lead?: RegExp;
  /** A check beside the identifier's own: whether a value in this form can be one. */
  readonly check?: (value: string) => boolean;
}

/** An identifier of a form that an authority or a standard gives it. */
export interface Identifier<Type extends string> {
  readonly type: Type;
  readonly forms: readonly Form[];
  /** Words that say what it is, in any case, in lower case here; a space stands for a space, a mark or nothing. */
  readonly words: readonly string[];
  /** The most units between a word and the value; none of them a digit. 40 unless said otherwise. */
  readonly near?: number;
  /** Whether something else before it says so, too. */
  readonly beside?: (before: string) => boolean;
  /** Whether a value can be one, by its check digits. Given without spaces and marks, in capitals, and as it is written. */
  readonly check?: (value: string, written: string) => boolean;
  /** The one spelling of a value; without spaces and marks, in capitals, unless said otherwise. */
  readonly spelling?: (value: string) => string;
  /** Characters without which there is no match; digits unless said otherwise. */
  readonly triggers?: string;
  readonly joins?: readonly Joins[];
  readonly mask?: (value: string) => string;
}

/** Groups of digits and capitals may go on over a space. One for all identifiers: each counts once where a text is cut. */
const joins: readonly Joins[] = [
  { before: digits, after: digits + capitals },
  {
    before: capitals,
    after: digits,
    inside: (text, index) => /(?:^|[^0-9A-Za-z])[0-9A-Z]{1,6}$/.test(text.slice(Math.max(0, index - 7), index)),
  },
];

/** A recogniser of an identifier: it reads each word with a trigger in it once, and as far behind it as the form is long. */
export function identifier<const Type extends string>(of: Identifier<Type>): Recogniser & { readonly type: Type } {
  const { type, beside, triggers = digits, spelling = compact, mask = lastFour } = of;
  const forms = of.forms.map((form) => compile(form, of));
  const said = behind(of.words, of.near);
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
    weigh: (score, before) => (said(before) || beside?.(before) === true ? Math.min(score + boost, surest) : score),
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

/** The place of a value in this form whose first word with a digit begins at `start`; an end of -1 where there is none. */
function read(form: CompiledForm, text: string, start: number, from: number, to: number): readonly [number, number] {
  const first = form.lead === undefined ? start : led(text, form.lead, from, start);
  if (first < 0 || !begins(text, first)) return nowhere;
  const ahead = text.slice(first, Math.min(to, first + longest)).replaceAll(spaces, " ");
  const written = form.pattern.exec(ahead)?.[0];
  if (written === undefined || !ends(text, first, first + written.length)) return nowhere;
  return form.check(compact(written), written) ? [first, first + written.length] : nowhere;
}

/** Spaces that may stand in numbers, beside the one of ASCII. */
const spaces = /[\u00a0\u2007\u2009\u202f]/g;

/** The beginning of the lead before `start`; -1 where there is none. */
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
