import type { RecognizerFunction } from "../scan/recognizer-function.js";
import type { Finding } from "../scan/rule.js";

/** The strategy of a rule: how a value is replaced. A built-in name, or a function that returns the replacement. */
export type Strategy = "block" | "redact" | "mask" | "hash" | "tokenize" | ((finding: Finding) => string);

/** A complete rule. */
export interface Rule {
  /** The treatment of each match: `block`, `redact`, `mask`, `hash`, `tokenize`, or a function. */
  readonly strategy: Strategy;
  /**
   * The recogniser of the type, if it is not built in. A pattern always runs in RE2, in linear time. A function that is
   * `async`, or has a `timeout`, is awaited.
   */
  readonly recognizer?: RegExp | RecognizerFunction;
  /**
   * The time limit of an async recogniser in milliseconds, in total for one string, value, request or chunk. Default:
   * 5,000. If set, a function that returns promises but is not declared `async` counts as async.
   */
  readonly timeout?: number;
  /**
   * Behavior if the recogniser throws, times out, or returns invalid matches. `fail` (default): throws an error
   * with the name of the type. `ignore`: continues with the valid matches, and the plugin reports a notification.
   */
  readonly onRecognizerError?: "fail" | "ignore";
  /**
   * Values that are never findings of this type: exact strings, or RE2 patterns that match a whole value. Strings are
   * case-insensitive for `email`, `ip`, `mac`, `iban` and patterns with the flag `i`.
   */
  readonly allow?: readonly (string | RegExp)[];
  /**
   * Values that are always findings of this type, as whole words, case-insensitive. Up to 100,000, each of up to 256
   * UTF-16 units. A rule may consist of these only. They take precedence over `allow`.
   */
  readonly deny?: readonly string[];
  /**
   * The maximum length of a match, in UTF-16 units. For a function without it, a stream emits nothing before its end.
   * For a pattern without an upper bound, the default is 256; a longer match is removed up to the end of its word.
   */
  readonly maxLength?: number;
  /**
   * The handling in streams if a function has no `maxLength`, async or not. `hold` (default): holds everything back to the
   * end. `refuse`: throws.
   */
  readonly onStream?: "hold" | "refuse";
  /**
   * The score of a match, from 0 to 1. Decides which of two overlapping matches wins. Default for custom recognisers:
   * 0.85.
   */
  readonly score?: number;
  /**
   * The minimum score of a finding, from 0 to 1. A higher value requires more certainty: a check digit, a format, a
   * context word. Default: 0.5 for built-in types; for custom recognisers 0, or 0.5 if `context` is set.
   */
  readonly threshold?: number;
  /**
   * Words that add 0.4 to the score of a match if one of them appears within the 64 UTF-16 units before it, as a whole
   * word, case-insensitive. Text after a match never counts, so that streams need not wait for it. Added to the
   * built-in words of a type.
   */
  readonly context?: readonly string[];
  /** The countries (ISO 3166-1 alpha-2) whose national number formats `phone` finds: `["US", "DE"]`. */
  readonly regions?: readonly string[];
}

/** The rules: maps each type to a strategy or a rule. */
export type Rules = { readonly [type: string]: Strategy | Rule };
