import type { Plan } from "../scan/plan.js";
import type { CompiledRule } from "../scan/rule.js";
import { type Found, scan } from "../scan/scanner.js";

/** The longest text that is looked through at once: as much as a session holds. */
const longest = 4096;
/**
 * The maximum length of telemetry text that is scanned before it is redacted. Text with findings is then read again.
 */
const longestTrial = 1024;

/**
 * Returns the findings of the recognisers with triggers in a short complete text, as a session would. Returns
 * `undefined` for a longer text. Most values are short and have no findings, and a session costs more than the scan.
 *
 * @param before The text before this one, if it is part of something larger.
 */
export function foundInShort(plan: Plan, text: string, before: string | undefined): Found[] | undefined {
  if (text.length > longest) return undefined;
  const found: Found[] = [];
  scan(plan, { text, base: 0, surroundings: before, ended: true }, 0, text.length, found);
  return found;
}

/** Returns true if the walkers of the rules find nothing in a complete text. */
export function isCleanForWalkers(plan: Plan, text: string): boolean {
  for (const rule of plan.rules) {
    if ((rule.walker !== undefined || rule.denied !== undefined) && !findsNothing(rule, text)) return false;
  }
  return true;
}

/** Returns true if a complete text has no findings. Returns false for a longer text, which is not scanned. */
export const isClean = (plan: Plan, text: string, before: string | undefined): boolean =>
  text.length <= longestTrial && foundInShort(plan, text, before)?.length === 0 && isCleanForWalkers(plan, text);

/** Returns true if the walker and the deny list of the rule find nothing in a text. */
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
