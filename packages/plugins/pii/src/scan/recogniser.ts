import type { Label } from "./labels.js";
import type { Site } from "./site.js";
import type { Said, Words } from "./words.js";

/** One thing found, in UTF-16 units of the text as given. */
export interface Match {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** The score of the match, 0 to 1. */
  readonly score: number;
}

/** Takes what a recogniser finds. What is less sure than the threshold of its rule is dropped. */
export type Report = (start: number, end: number, score: number) => void;

/**
 * Characters that may stand on both sides of spaces inside one value: `4111 1111`. Digits of other scripts count as `0`.
 * No value is found over spaces that no recogniser joins.
 */
export interface Joins {
  readonly before: string;
  readonly after: string;
  /** The most spaces in a row. Default: 1. */
  readonly spaces?: number;
  /**
   * Returns `true` if a value may go on over the spaces `[start, end)`, also if only text that is not known yet could make
   * it so. Reads at most 48 units on both sides.
   */
  inside?(text: string, start: number, end: number): boolean;
}

/**
 * Finds one type of value. The shared pass over the text calls `look` at its trigger characters, where
 * something stands that a match has in it, and nowhere else; a recogniser then reads as far as it must on both sides.
 *
 * To add a type: one file with one of these, and one line in `registry.ts`. Its docstring is what the README says of the
 * type, with an `@example` whose mask stands there; `npm run pii-types` writes that.
 */
export interface Recogniser {
  readonly type: string;
  /** Characters, all ASCII, at which it looks: without one of them there is no match. */
  readonly triggers: string;
  /**
   * Sites that every match has in it: the recogniser is asked to look only where one of these ends. Default: each
   * trigger.
   */
  readonly sites?: readonly Site[];
  /**
   * Sites that every match has in it, those too which count for nothing without a word before them; `sites` are then of the
   * matches that need none. Asked for only where a word that says one of `said` may stand, in the stretch without a place
   * to cut or before it; or, where the rule needs no words, always and in place of `sites`.
   */
  readonly doubtful?: { readonly said: Said; readonly sites: readonly Site[] };
  /**
   * The distance from the last character of such a site back to where the first trigger of a match may stand. Default:
   * none.
   */
  readonly reach?: number;
  /**
   * The beginning, not before `low`, of what `at` lies in, where that has to be looked at from its beginning on and
   * `reach` may end within it.
   */
  begin?(text: string, at: number, low: number): number;
  /** Whether it looks at all of a stretch without a character to cut at, in whose midst it was called: one look is enough. */
  readonly inStretches?: true;
  /** Whether its values are the same in upper and lower case: then a rule's `allow` takes them in any. */
  readonly anyCase?: true;
  readonly joins?: readonly Joins[];
  /**
   * Whether a value may go on over the character at `index`, which is no space and ends every other value. Reads at most
   * 66 units on both sides; where more text could make it so, it is so.
   */
  bridges?(text: string, index: number): boolean;
  /** The characters of ASCII that `bridges` is asked about. It is asked about all others. Default: none. */
  readonly bridged?: string;
  /**
   * The amounts that a word before a match adds to its score: the nearest known one within `contextWindow` units. What
   * it takes away counts only where the word stands right before the match.
   */
  readonly labels?: Readonly<Partial<Record<Label, number>>>;
  /** The amount that is added to the score of a match that is a whole text. */
  readonly alone?: number;
  /**
   * The score of a match with the units before it (at most `contextWindow`) taken into account; others than `labels`
   * can say.
   */
  weigh?(score: number, before: string, value: string): number;
  /** Whether `weigh` makes nothing surer: what is doubtful is then not weighed where no word of `labels` stands before it. */
  readonly onlyLowers?: true;
  /** Finds, besides, what goes over places to cut: many lines. */
  walker?(): Walker;
  /**
   * Looks around the trigger at `at`, and reports matches that lie within `[from, to)`, which is all text around it
   * without a place to cut. Of what lies outside it may read two units before it, and one after it. Gives the position from which it wants to be called again, so that no unit is read
   * more than a fixed number of times. Is called without its object.
   *
   * @param words where what needs a word before it counts for nothing without one: whether one may stand there.
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
  /** The units that it still reads before the position it gave back last. */
  readonly context: number;
  /**
   * Reads on in `text`, which begins `base` units into the stream and has grown, and reports (in units of the
   * stream) what more text cannot change. Gives the position, in units of the stream, before which no more will start.
   */
  advance(text: string, base: number, end: boolean, report: WalkerReport): number;
}

/**
 * `silent`: the tail of a match that was longer than its bound; taken out with it. Tells whether the match counts: it may
 * be less sure than its rule wants.
 */
export type WalkerReport = (start: number, end: number, score: number, silent?: boolean) => boolean;
