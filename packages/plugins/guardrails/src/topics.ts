import type { Plugin } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, common, count, oneOf } from "@suite/kit/options";
import type { LinearPattern } from "@suite/kit/patterns";
import { checkOptions } from "./options.js";
import { linearPattern } from "./patterns/engine.js";
import { type PlacedOptions, placedChecks, textGuardPlugin } from "./texts/in-places.js";

/** The options of `topics`. Needs `deny` or `allow`. */
export interface TopicsOptions extends PlacedOptions {
  /** Denied topics, by name, with their words: whole words, case-insensitive; `*` matches the rest of a word. */
  readonly deny?: Readonly<Record<string, readonly string[]>>;
  /** Allowed topics. A string must match one of them. Strings of fewer than five words pass. */
  readonly allow?: Readonly<Record<string, readonly string[]>>;
  /** The number of different words of a topic that a string must contain to match it. Default: 1. */
  readonly least?: number;
  /** The action: `block` withholds the whole content, `flag` only reports it. Default: `block`. */
  readonly action?: "block" | "flag";
}

const lists: Check = (value) =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(
    (list) =>
      Array.isArray(list) && list.length > 0 && list.every((word) => typeof word === "string" && /\S/.test(word)),
  )
    ? undefined
    : "an object of names and non-empty lists of words";

/**
 * Restricts content to topics, which are detected by their words. It does not understand meaning: use `moderation` with
 * a function or a model for that.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * topics({ deny: { politics: ["election", "vote*", "party programme"] }, least: 2 });
 * ```
 */
export function topics(options: TopicsOptions): Plugin {
  const checks = {
    ...common,
    ...placedChecks,
    deny: lists,
    allow: lists,
    least: count,
    action: oneOf("block", "flag"),
  };
  options = checkOptions("topics", options, checks, options?.allow === undefined ? ["deny"] : []);
  const { least = 1 } = options;
  const compile = (wordLists: Readonly<Record<string, readonly string[]>> = {}) =>
    Object.entries(wordLists).map(([name, list]) => ({ name, words: list.map(wordPattern) }));
  const denied = compile(options.deny);
  const allowed = compile(options.allow);
  const isOf = (text: string, words: readonly LinearPattern[]): boolean => {
    let found = 0;
    for (const word of words) if (word.find(text, 0) !== undefined && ++found >= least) return true;
    return false;
  };
  return textGuardPlugin("topics", options, (text) => {
    const found = denied.filter(({ words }) => isOf(text, words));
    if (found.length > 0) return { findings: Object.fromEntries(found.map(({ name }) => [name, 1])) };
    if (allowed.length === 0 || isShort(text) || allowed.some(({ words }) => isOf(text, words))) return undefined;
    return { findings: { other: 1 } };
  });
}

/** Returns a pattern for a word or a sequence of words. */
function wordPattern(word: string): LinearPattern {
  const escaped = word.trim().replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
  const source = escaped.replaceAll("*", "[\\p{L}\\p{N}]*").replaceAll(/\s+/g, "\\s+");
  return linearPattern("topics()", new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${source})(?:$|[^\\p{L}\\p{N}])`, "iu"));
}

/** Short strings, such as greetings, belong to no topic. */
const isShort = (text: string): boolean => text.trim().split(/\s+/, 5).length < 5;
