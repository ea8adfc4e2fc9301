import { BREAK, kinds } from "../scan/characters.js";
import type { Walker, WalkerReport } from "../scan/recogniser.js";

/** One match in a window, in units of the window. */
export interface WindowMatch {
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/**
 * Walks something that can only look at a whole text (a function, a pattern without an upper bound) along a stream, in
 * windows at fixed places of the stream. A window owns the matches that begin in its middle; on both sides it sees
 * `length` units more. A match that reaches the end of its window is taken out up to the end of its word.
 */
export function windowWalker(
  find: (text: string) => Iterable<WindowMatch>,
  length: number,
  stride = Math.max(2 * length, 128),
): Walker {
  let owned = 0;
  let tail = -1;
  return {
    context: length,
    advance(text, base, end, report) {
      const known = base + text.length;
      for (;;) {
        if (tail >= 0) tail = reportTail(text, base, tail, end, report);
        const to = owned + stride + length;
        if (to >= known && !end) break;
        if (owned >= known) break;
        const from = Math.max(owned - length, 0);
        const stop = Math.min(to, known);
        for (const match of find(text.slice(from - base, stop - base))) {
          const start = from + match.start;
          if (start < owned || start >= owned + stride) continue;
          const counts = report(start, from + match.end, match.score);
          if (counts && from + match.end === stop && stop < known) tail = stop;
        }
        owned += stride;
      }
      if (end) return known;
      return tail >= 0 ? Math.min(owned, tail) : owned;
    },
  };
}

/**
 * Reports the rest of the word of an overlong match as far as it is known. Returns the position at which to continue,
 * or -1 at its end.
 */
function reportTail(text: string, base: number, from: number, end: boolean, report: WalkerReport): number {
  let to = from;
  while (to - base < text.length && ((kinds[text.charCodeAt(to - base)] ?? 0) & BREAK) === 0) to++;
  if (to > from) report(from, to, 1, true);
  return to - base < text.length || end ? -1 : to;
}
