import type { Match, Recogniser, Walker } from "../recognisers/recogniser.js";

/** What is found, as a strategy function sees it. */
export interface Finding extends Match {
  readonly value: string;
}

/** What is put in the place of a value. A name from the closed list, or a function that gives the replacement. */
export type Strategy = "block" | "redact" | "mask" | "hash" | ((finding: Finding) => string);

/** A user's recogniser function: every match in the text, in any order. It must be pure: the same text, the same matches. */
export type RecognizerFunction = (
  text: string,
) => Iterable<{ readonly start: number; readonly end: number; readonly score?: number }>;

/** One rule in full. */
export interface Rule {
  readonly strategy: Strategy;
  /** What finds the type, where it is not a built-in one. A pattern always runs in RE2: in linear time. */
  readonly recognizer?: RegExp | RecognizerFunction;
  /**
   * The longest match, in UTF-16 units. For a function: without it, a stream gives nothing out before its end. For a
   * pattern without an upper bound of its own: 256 unless said otherwise; a longer match is taken out up to the end of
   * its word.
   */
  readonly maxLength?: number;
  /** What a function without `maxLength` does on streams: hold everything to the end (the default), or refuse. */
  readonly onStream?: "hold" | "refuse";
  /** How sure a match is, 0 to 1; decides where matches overlap. For user recognisers: 0.85 unless said otherwise. */
  readonly score?: number;
}

/** From each type to what is done with it. */
export type Rules = { readonly [type: string]: Strategy | Rule };

/** A rule as it runs. Its place in the list is its order. */
export interface CompiledRule {
  readonly type: string;
  readonly order: number;
  readonly blocks: boolean;
  /** Looks at triggers, or walks by itself. */
  readonly recogniser?: Recogniser;
  readonly walker?: () => Walker;
  /** False where a stream is refused. */
  readonly streams: boolean;
  replace(finding: Finding): string;
}
