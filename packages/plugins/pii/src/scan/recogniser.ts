import type { Label } from "./labels.js";
import type { Site } from "./site.js";
import type { LabelSet, Words } from "./words.js";

/** One thing found, in UTF-16 units of the text as given. */
export interface Match {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** The score of the match, 0 to 1. */
  readonly score: number;
}

/** Receives the matches of a recogniser. A match with a score below the threshold of its rule is dropped. */
export type Report = (start: number, end: number, score: number) => void;

/**
 * Characters that may stand on both sides of spaces inside one value: `4111 1111`. Digits of other scripts count as
 * `0`. No value is found over spaces that no recogniser joins.
 */
export interface Joins {
  readonly before: string;
  readonly after: string;
  /** The maximum number of consecutive spaces. Default: 1. */
  readonly spaces?: number;
  /**
   * Returns `true` if a value may go on over the spaces `[start, end)`, also if only text that is not known yet could
   * make it so. Reads at most 48 units on both sides.
   */
  inside?(text: string, start: number, end: number): boolean;
}

/**
 * Finds one type of value. The shared pass over the text calls `look` only at trigger characters near a site of the
 * recogniser. The recogniser then reads as far as it needs on both sides.
 *
 * To add a type, write one file with a recogniser and add one line to `registry.ts`. The README's table of types
 * contains its docstring and the mask of its `@example`; `npm run pii-types` writes the table.
 */
export interface Recogniser {
  readonly type: string;
  /** ASCII characters at which it looks. A match contains at least one of them. */
  readonly triggers: string;
  /** Sites that every match contains: `look` is called only after one of them ends. Default: each trigger. */
  readonly sites?: readonly Site[];
  /**
   * Sites that every match contains, including matches that count only after a context word. `sites` are then those of
   * the matches that need no word. These sites are used only if a word with one of the `labels` may stand before
   * the match or in the same stretch without a place to cut. If the rule needs no words, they are always used, instead
   * of `sites`.
   */
  readonly doubtful?: { readonly labels: LabelSet; readonly sites: readonly Site[] };
  /** The distance from the last character of such a site back to the first trigger of a match. Default: none. */
  readonly reach?: number;
  /**
   * Returns the first index, from `low`, of the characters around `at` that must be read together. It is for values
   * that can only be recognised from their first character: `reach` may lead into the middle of one.
   */
  begin?(text: string, at: number, low: number): number;
  /** True if one call of `look` covers the whole stretch without a place to cut around `at`. */
  readonly inStretches?: true;
  /** True if upper and lower case do not matter in its values. A rule's `allow` then matches in any case. */
  readonly anyCase?: true;
  readonly joins?: readonly Joins[];
  /**
   * Returns true if a value may continue over the character at `index`, which is no space and ends every other value.
   * Reads at most 66 units on both sides. Returns true if more text could make it so.
   */
  bridges?(text: string, index: number): boolean;
  /** The ASCII characters that `bridges` is called for. It is called for every non-ASCII character. Default: none. */
  readonly bridged?: string;
  /**
   * The amounts that a word before a match adds to its score. The nearest known word within `contextWindow` units
   * counts. A negative amount counts only if the word stands directly before the match.
   */
  readonly labels?: Readonly<Partial<Record<Label, number>>>;
  /** The amount added to the score of a match that is the whole text. */
  readonly alone?: number;
  /**
   * Returns the score of a match in view of the units before it (at most `contextWindow`), for cases that `labels`
   * cannot describe.
   */
  weigh?(score: number, before: string, value: string): number;
  /**
   * True if `weigh` never raises a score. A doubtful match is then not weighed if no word of `labels` stands before it.
   */
  readonly onlyLowers?: true;
  /** Finds matches that cross places to cut too, such as many lines. */
  walker?(): Walker;
  /**
   * Looks around the trigger at `at` and reports matches inside `[from, to)`, which is all text around it without a
   * place to cut. Outside this range it may read two units before and one unit after. Returns the position of the next
   * call, so that no unit is read more than a fixed number of times. Is called without `this`.
   *
   * @param words Tests if a context word may stand before a match. Passed if doubtful matches count only after such a
   *   word.
   */
  look(text: string, at: number, from: number, to: number, report: Report, words?: Words): number;
  /**
   * The recogniser with countries (ISO 3166-1 alpha-2) whose way of writing counts. Throws `RangeError` with the name
   * of an unknown one.
   */
  inRegions?(regions: readonly string[]): Recogniser;
  /**
   * The one spelling of a value that can be written in several, so that `hash` makes one hash of them. Given without
   * hidden forms: digits are ASCII, and nothing is escaped.
   */
  normal?(value: string): string;
  /** The part of a value that the strategy `mask` leaves. Must not itself be a match. */
  mask(value: string): string;
}

/** A recogniser without a trigger (a user's pattern or function): it walks along the text by itself. */
export interface Walker {
  /** The number of units that it still reads before the position that it returned last. */
  readonly context: number;
  /**
   * Continues in `text`, which begins `base` units into the stream and has grown. Reports matches that more text cannot
   * change, in units of the stream. Returns the position, in units of the stream, before which no more matches will
   * start.
   */
  advance(text: string, base: number, end: boolean, report: WalkerReport): number;
}

/**
 * Reports a match. Returns true if the match counts: its score may be below the threshold of its rule. `silent` marks
 * the tail of a match that was longer than its bound, which is removed with it.
 */
export type WalkerReport = (start: number, end: number, score: number, silent?: boolean) => boolean;
