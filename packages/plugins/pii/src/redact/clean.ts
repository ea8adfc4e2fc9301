import type { Plan } from "../scan/plan.js";
import type { CompiledRule } from "../scan/rule.js";
import { type Found, scan } from "../scan/scanner.js";

/** The longest text that is looked through at once: as much as a session holds. */
const longest = 4096;
/** The longest text of telemetry that is looked through before it is redacted: what is not clean is then read again. */
const longestTrial = 1024;

/**
 * The findings of the recognisers with triggers in a short text that is all there, as a session would; undefined for a
 * longer text. Most values are short and hold nothing, and a session costs more than they do.
 *
 * @param before what stands before the text, where it is part of something larger.
 */
export function foundInShort(plan: Plan, text: string, before: string | undefined): Found[] | undefined {
  if (text.length > longest) return undefined;
  const found: Found[] = [];
  scan(plan, { text, base: 0, surroundings: before, ended: true }, 0, text.length, found);
  return found;
}

/** Whether the walkers of the rules find nothing in a text that is all there. */
export function isCleanForWalkers(plan: Plan, text: string): boolean {
  for (const rule of plan.rules) {
    if ((rule.walker !== undefined || rule.denied !== undefined) && !findsNothing(rule, text)) return false;
  }
  return true;
}

/** Whether nothing is found in a text that is all there; false also of a longer text, which was not looked through. */
export const isClean = (plan: Plan, text: string, before: string | undefined): boolean =>
  text.length <= longestTrial && foundInShort(plan, text, before)?.length === 0 && isCleanForWalkers(plan, text);

/** Whether the rule's own walker, and its list, pass over a text. */
function findsNothing({ walker, denied }: CompiledRule, text: string): boolean {
  let clean = true;
  const taint = (): boolean => {
    clean = false;
    return true;
  };
  walker?.(taint).advance(text, 0, true, taint);
  if (clean) denied?.().advance(text, 0, true, taint);
  return clean;
}
