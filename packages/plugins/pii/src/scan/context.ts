import type { CompiledRule } from "../rules/rule.js";
import { isAlpha, isLetter } from "./characters.js";
import { glued, type Label, words } from "./labels.js";

/** How many units before a match a context word counts. */
export const contextWindow = 64;

/** What one of a user's context words adds to a score. */
const contextBoost = 0.4;
/** Surroundings make nothing surer than this: a check digit does. */
const surestByContext = 0.95;

/** The word that says what the value behind it is: the nearest one before it that is known. */
interface NearestLabel {
  readonly label: Label;
  /** Nothing but marks, digits and spaces lie between the word and the value. */
  readonly adjacent: boolean;
}

/**
 * How sure a match is, with what stands before it taken into account.
 *
 * @param before the units before the match, at most `contextWindow` of them.
 * @param alone whether the text is nothing but this match.
 */
export function weigh(rule: CompiledRule, found: number, before: string, value: string, alone: boolean): number {
  const score = rule.recogniser?.weigh?.(found, before, value) ?? found;
  let raised = alone ? (rule.recogniser?.alone ?? 0) : 0;
  let lowered = 0;
  const nearest = rule.labels && nearestLabel(before);
  const weight = (nearest && rule.labels?.[nearest.label]) ?? 0;
  if (weight > 0) raised += weight;
  // A word for something else counts only right before the value.
  else if (nearest?.adjacent) lowered = weight;
  if (rule.context?.test(before)) raised += contextBoost;
  const sure = raised > 0 ? Math.max(score, Math.min(score + raised, surestByContext)) : score;
  return Math.round(Math.max(sure + lowered, 0) * 100) / 100;
}

function nearestLabel(before: string): NearestLabel | undefined {
  const spaceless = lastGlued(before);
  const lower = before.toLowerCase();
  // A letter that becomes two in lower case would shift what follows it.
  const read = lower.length === before.length ? lower : before;
  let adjacent = true;
  for (let end = before.length; end > (spaceless?.end ?? 0); ) {
    const start = wordStart(before, end);
    if (start === end) {
      end--;
      continue;
    }
    const word = read.slice(start, end);
    const label = words.get(word) ?? (word === "id" ? ofId(before, start) : undefined);
    if (label !== undefined) return { label, adjacent };
    adjacent = false;
    end = start;
  }
  return spaceless && { label: spaceless.label, adjacent: false };
}

/** `tax ID` is what `tax` says; any other ID is something else. */
function ofId(before: string, start: number): Label {
  const end = start - 1;
  return words.get(before.slice(wordStart(before, end), end).toLowerCase()) ?? "other";
}

/** Where the word that ends at `end` begins; `end` where there is none. `phoneNumber` is two words. */
function wordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) {
    start--;
    const code = text.charCodeAt(start);
    const before = text.charCodeAt(start - 1);
    if (code >= 65 && code <= 90 && before >= 97 && before <= 122) break;
  }
  return start;
}

const isWordUnit = (code: number): boolean => isAlpha(code) || isLetter(code);

/** Scripts without spaces between words: the last known word anywhere in the text. */
function lastGlued(text: string): { readonly label: Label; readonly end: number } | undefined {
  let foreign = false;
  for (let at = 0; at < text.length && !foreign; at++) foreign = text.charCodeAt(at) >= 0xe00;
  if (!foreign) return undefined;
  let last: { label: Label; end: number } | undefined;
  for (const [word, label] of glued) {
    const at = text.lastIndexOf(word);
    if (at >= 0 && at + word.length > (last?.end ?? 0)) last = { label, end: at + word.length };
  }
  return last;
}

/** Matches one of a user's context words, whole and in any case. */
export function contextPattern(own: readonly string[]): RegExp {
  const escaped = own.map((word) => {
    const literal = word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return `${/^\p{L}/u.test(word) ? "(?<![A-Za-z])" : ""}${literal}${/\p{L}$/u.test(word) ? "(?![A-Za-z])" : ""}`;
  });
  return new RegExp(escaped.join("|"), "iu");
}
