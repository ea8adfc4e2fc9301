import type { RecognizerFunction } from "../scan/recognizer-function.js";
import type { Finding } from "../scan/rule.js";

/** The strategy of a rule: what is put in the place of a value. A name from the closed list, or a function that gives the replacement. */
export type Strategy = "block" | "redact" | "mask" | "hash" | "tokenize" | ((finding: Finding) => string);

/** One rule in full. */
export interface Rule {
  readonly strategy: Strategy;
  /**
   * The recogniser that finds the type, where it is not a built-in one. A pattern always runs in RE2: in linear time. A
   * function that was written as `async`, or has a `timeout`, is waited for.
   */
  readonly recognizer?: RegExp | RecognizerFunction;
  /**
   * The time that an async recogniser may take, in milliseconds: together for all of one text, one value, one request
   * or one chunk. 5,000 unless said otherwise. Makes a function that gives promises, and was not written as `async`, an
   * async one.
   */
  readonly timeout?: number;
  /**
   * The behaviour when the recogniser throws, is late, or gives matches that cannot be: `fail` is an error with the
   * name of the type (the default); `ignore` goes on with what it did find, and the plugin says so in a notification.
   */
  readonly onRecognizerError?: "fail" | "ignore";
  /**
   * The values that are never findings of this type: texts as they are written (in any case for `email`, `ip`, `mac`,
   * `iban` and patterns with the flag `i`), or patterns for RE2 that match a whole value.
   */
  readonly allow?: readonly (string | RegExp)[];
  /**
   * Values that always are of this type, in any case, as whole words; up to 100,000, each of up to 256 UTF-16 units. A
   * rule may have nothing but these. They go before `allow`.
   */
  readonly deny?: readonly string[];
  /**
   * The longest match, in UTF-16 units. For a function: without it, a stream gives nothing out before its end. For a
   * pattern without an upper bound of its own: 256 unless said otherwise; a longer match is taken out up to the end of
   * its word.
   */
  readonly maxLength?: number;
  /**
   * The behaviour of a function without `maxLength`, async or not, on streams: hold everything to the end (the
   * default), or refuse.
   */
  readonly onStream?: "hold" | "refuse";
  /** The score of a match, 0 to 1; decides where matches overlap. For user recognisers: 0.85 unless said otherwise. */
  readonly score?: number;
  /**
   * The least score that counts, 0 to 1. Built-in types: 0.5 unless said otherwise; a higher one asks for more certainty
   * (a check digit, a form, a context word), a lower one for less. User recognisers: 0, or 0.5 where there is `context`.
   */
  readonly threshold?: number;
  /**
   * Words that add 0.4 to the score of a match where one of them stands, whole and in any case, within the 64 UTF-16
   * units before it. What follows a match never counts, so that streams need not wait for it. Built-in types have
   * words of their own, and take these besides.
   */
  readonly context?: readonly string[];
  /** The countries (ISO 3166-1 alpha-2) whose numbers `phone` finds as they are written at home: `["US", "DE"]`. */
  readonly regions?: readonly string[];
}

/** The rules: from each type to what is done with it. */
export type Rules = { readonly [type: string]: Strategy | Rule };
