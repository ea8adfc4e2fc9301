import { PiiError } from "../errors.js";
import type { Walker } from "../recognisers/recogniser.js";
import type { RecognizerFunction } from "../rules/rule.js";
import { type WindowMatch, windowWalker } from "./window-walker.js";

/** Walks a user's function along a stream: in windows where its matches have a declared length, else at the end only. */
export function functionWalker(
  type: string,
  find: RecognizerFunction,
  length: number | undefined,
  score: number,
): Walker {
  const checked = (text: string) => matchesOf(type, find, text, length ?? text.length, score);
  if (length !== undefined) return windowWalker(checked, length);
  return {
    context: 0,
    advance(text, base, end, report) {
      if (!end) return base;
      for (const match of checked(text)) report(base + match.start, base + match.end, match.score);
      return base + text.length;
    },
  };
}

function matchesOf(
  type: string,
  find: RecognizerFunction,
  text: string,
  longest: number,
  score: number,
): WindowMatch[] {
  const matches: WindowMatch[] = [];
  try {
    for (const match of find(text)) matches.push({ start: match.start, end: match.end, score: match.score ?? score });
  } catch (cause) {
    throw failed(type, "threw", cause);
  }
  for (const { start, end, score: sure } of matches) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > text.length) {
      throw failed(type, "gave a match that is empty or not within the text");
    }
    if (end - start > longest) throw failed(type, `gave a match longer than its maxLength of ${longest}`);
    if (!(sure >= 0 && sure <= 1)) throw failed(type, "gave a score that is not between 0 and 1");
  }
  return withoutOverlaps(matches);
}

function withoutOverlaps(matches: WindowMatch[]): WindowMatch[] {
  const kept: WindowMatch[] = [];
  for (const match of matches.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  }
  return kept;
}

const failed = (type: string, what: string, cause?: unknown): PiiError =>
  new PiiError("ERR_PII_DETECTION_FAILED", `The recogniser of "${type}" ${what}.`, { types: [type], cause });
