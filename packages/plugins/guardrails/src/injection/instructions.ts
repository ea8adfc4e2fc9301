import type { Finding } from "./finding.js";
import { knownWords, phrases, type Rule, rules } from "./rules.js";
import { words as wordsIn } from "./vocabulary.js";
import { type Word, wordsOf } from "./words.js";

const byFirstWord = new Map<string, Rule[]>();
for (const rule of rules) {
  for (const word of rule.steps[0] ?? []) {
    const known = byFirstWord.get(word);
    if (known === undefined) byFirstWord.set(word, [rule]);
    else known.push(rule);
  }
}

/** Chat markup that could imitate another speaker. */
const markup: readonly (readonly [RegExp, number])[] = [
  [/<\|[a-z_]{1,20}\|>|\[\/?INST\]|<<\/?SYS>>/gi, 0.6],
  [/<\/?(?:system|assistant|instructions?|information|important)(?:_prompt)?>/gi, 0.45],
  [/^[ \t]{0,8}#{1,6}[ \t]{0,4}(?:system|(?:new |updated )?instructions?)\b/gim, 0.35],
  [/^[ \t]{0,8}(?:system|assistant)[ \t]{0,3}:/gim, 0.35],
];

const base64 = /[A-Za-z0-9+/]{24,}={0,2}/g;
/** The maximum number of characters of one encoded text that are decoded. */
const longestEncoded = 65_536;

/** Finds instructions in a string, the first of each rule. */
export function instructionsIn(text: string): readonly Finding[] {
  const found: Finding[] = [...ordersIn(text)];
  for (const [pattern, weight] of markup) {
    const match = first(pattern, text);
    if (match !== undefined) found.push({ type: "instructions", rule: "markup", weight, ...match });
  }
  for (const phrase of phrases) {
    const start = text.indexOf(phrase);
    if (start >= 0)
      found.push({ type: "instructions", rule: "override", weight: 0.7, start, end: start + phrase.length });
  }
  for (const match of text.matchAll(base64)) {
    const decoded = decode(match[0].slice(0, longestEncoded));
    if (decoded === undefined || ordersIn(decoded).every(({ weight }) => weight < 0.5)) continue;
    const start = match.index;
    found.push({ type: "instructions", rule: "encoded", weight: 0.9, start, end: start + match[0].length });
  }
  return found;
}

/**
 * Returns the findings of rules in a string's words: each rule at most once. Of rules with the same name, those with
 * the highest weight that do not overlap.
 */
function ordersIn(text: string): readonly Finding[] {
  const words = wordsOf(text, knownWords);
  const found: Finding[] = [];
  const done = new Set<Rule>();
  for (const [at, { word, start }] of words.entries()) {
    for (const rule of byFirstWord.get(word) ?? []) {
      if (done.has(rule)) continue;
      if (rule.name === "override" && isNegated(words, at)) continue;
      const last = lastOf(rule, words, at, at, 1);
      if (last === undefined) continue;
      done.add(rule);
      found.push({ type: "instructions", rule: rule.name, weight: rule.weight, start, end: last.end });
    }
  }
  return found;
}

/**
 * Returns the last word of a rule's match whose step before `step` is at `at`. Gaps are bounded, and so is the search.
 */
function lastOf(rule: Rule, words: readonly Word[], start: number, at: number, step: number): Word | undefined {
  const wanted = rule.steps[step];
  const before = words[at];
  if (before === undefined) return undefined;
  if (wanted === undefined) return holds(rule, words, start, at) ? before : undefined;
  const gap = rule.gaps[step] ?? 0;
  for (let next = at + 1; next <= at + 1 + gap; next++) {
    const word = words[next];
    if (word === undefined || word.sentence !== before.sentence) return undefined;
    const last = wanted.has(word.word) ? lastOf(rule, words, start, next, step + 1) : undefined;
    if (last !== undefined) return last;
    if (rule.between !== undefined && !rule.between.has(word.word)) return undefined;
  }
  return undefined;
}

/** Returns true if the conditions of a rule hold around a match. */
function holds({ without, next, mark, notNext }: Rule, words: readonly Word[], start: number, end: number): boolean {
  const last = words[end];
  const following = words[end + 1];
  const follows = last?.mark === "" && following?.sentence === last.sentence ? following.word : undefined;
  if (mark !== undefined && last?.mark !== mark) return false;
  // The "e" of "e-mail" is not the Italian "and".
  const isComplete = following?.mark !== "-";
  if (next !== undefined && follows !== undefined && !(isComplete && next.has(follows))) return false;
  if (notNext !== undefined && follows !== undefined && notNext.has(follows)) return false;
  if (without === undefined) return true;
  if (follows !== undefined && without.has(follows)) return false;
  for (let at = start; at <= end; at++) if (without.has(words[at]?.word ?? "")) return false;
  return true;
}

const negations: ReadonlySet<string> = wordsIn(
  "not dont never cannot cant nicht nie niemals ne pas no non nao não niet nooit nemoj ne не",
);
const whys: ReadonlySet<string> = wordsIn("why warum pourquoi porque perche");

/** Returns true for "do not ignore", "vergiss nicht": nothing is to be ignored. "Why not ignore" is an order. */
function isNegated(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  const isBefore = before?.sentence === words[at]?.sentence && negations.has(before?.word ?? "");
  if (isBefore && before?.mark === "") return !whys.has(words[at - 2]?.word ?? "");
  return /^(?:nicht|pas|niet)$/.test(words[at + 1]?.word ?? "");
}

function first(pattern: RegExp, text: string): { readonly start: number; readonly end: number } | undefined {
  pattern.lastIndex = 0;
  const match = pattern.exec(text);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
}

/** A base64 text that is text; undefined for bytes of another kind. */
function decode(encoded: string): string | undefined {
  try {
    const text = atob(encoded.slice(0, encoded.length - (encoded.length % 4)));
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 9 || (code > 13 && code < 32) || code === 127) return undefined;
    }
    return text;
  } catch {
    return undefined;
  }
}
