import { compileRules } from "../../rules/compile.js";
import { BREAK, kinds } from "../../scan/characters.js";
import { matchesIn } from "../../scan/matches.js";
import { compilePlan, type Plan } from "../../scan/plan.js";

/** A longer word counts as a link, in UTF-16 units. */
const longest = 1024;
/** The minimum score of a bare name. Names that could also be file names score lower. */
const least = 0.2;
/** A name whose last dot stands before a path: `evil.com./x`. */
const rootDot = /\.+(?=[/?#])/g;

/** The compiled plan that finds web addresses. It is created on first use. */
let addresses: Plan | undefined;

/**
 * Returns true if a value inserted between the two strings would be part of an address, as found by the type `url`,
 * with or without a scheme. Both strings end at the nearest position that no address crosses.
 */
export function isLink(before: string, after: string): boolean {
  if (before.length > longest) return true;
  if (!before.includes(".") && !after.includes(".")) return false;
  addresses ??= compilePlan(compileRules({ url: { strategy: "redact", threshold: least } }));
  // The leading space keeps the score low: a host name that is the whole string would score higher.
  const head = ` ${before.replaceAll(rootDot, "")}`;
  // In a name in capitals the inserted letter has to be a capital too.
  const value = /[a-z]/.test(head + after) ? "x" : "X";
  return matchesIn(addresses, head + value + after).some(({ start, end }) => start <= head.length && end > head.length);
}

/** Whether it is a break: no address goes over it. */
export const isBreak = (code: number): boolean => ((kinds[code] ?? 0) & BREAK) !== 0;

/** Returns the last word of a text read in chunks. A long word is truncated to just above the limit. */
export function lastWord(word: string, text: string): string {
  let start = text.length;
  while (start > 0 && text.length - start <= longest && !isBreak(text.charCodeAt(start - 1))) start--;
  if (start > 0) return text.slice(start);
  return word.length > longest ? word : word + text;
}
