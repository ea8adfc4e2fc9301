import { nearestLabel } from "./nearest-label.js";
import type { CompiledRule } from "./rule.js";

/** The amount that one of a user's context words adds to a score. */
export const contextBoost = 0.4;
/** Surroundings make nothing surer than this: a check digit does. */
const surestByContext = 0.95;

/**
 * Returns the score of a match in view of the text before it.
 *
 * @param before The units before the match, at most `contextWindow`.
 * @param alone True if the text consists of this match only.
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

/** Matches one of a user's context words, whole and in any case. */
export function contextPattern(words: readonly string[]): RegExp {
  const escaped = words.map((word) => {
    const literal = word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    return `${/^\p{L}/u.test(word) ? "(?<![A-Za-z])" : ""}${literal}${/\p{L}$/u.test(word) ? "(?![A-Za-z])" : ""}`;
  });
  return new RegExp(escaped.join("|"), "iu");
}
