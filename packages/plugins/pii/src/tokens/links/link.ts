import { compileRules } from "../../rules/compile.js";
import { BREAK, kinds } from "../../scan/characters.js";
import { matchesIn } from "../../scan/matches.js";
import { compilePlan, type Plan } from "../../scan/plan.js";

/** A word longer than this is a link for all that anybody knows, in UTF-16 units. */
const longest = 1024;
/** A name alone is less sure than this where it is the name of a file as well. */
const least = 0.2;
/** A name whose last dot stands before a path: `evil.com./x`. */
const rootDot = /\.+(?=[/?#])/g;

/** The plan that finds addresses. */
let addresses: Plan | undefined;

/**
 * Whether what is put between two texts would be a part of an address, as the type `url` of this package finds one: without
 * a scheme, too. Both end at the nearest place that no address goes over.
 */
export function isLink(before: string, after: string): boolean {
  if (before.length > longest) return true;
  if (!before.includes(".") && !after.includes(".")) return false;
  addresses ??= compilePlan(compileRules({ url: { strategy: "redact", threshold: least } }));
  // Behind a space it is no text of its own: that would make it surer.
  const head = ` ${before.replaceAll(rootDot, "")}`;
  // Of a name in capitals every letter has to be one.
  const value = /[a-z]/.test(head + after) ? "x" : "X";
  return matchesIn(addresses, head + value + after).some(({ start, end }) => start <= head.length && end > head.length);
}

/** Whether it is a break: no address goes over it. */
export const isBreak = (code: number): boolean => ((kinds[code] ?? 0) & BREAK) !== 0;

/** The word that a text ends with, where another text goes on; of a long one, no more than tells that it is long. */
export function lastWord(word: string, text: string): string {
  let start = text.length;
  while (start > 0 && text.length - start <= longest && !isBreak(text.charCodeAt(start - 1))) start--;
  if (start > 0) return text.slice(start);
  return word.length > longest ? word : word + text;
}
