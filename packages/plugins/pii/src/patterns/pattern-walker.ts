import type { Walker, WalkerReport } from "../scan/recogniser.js";
import type { LinearPattern } from "./engine.js";

/** The amount of text that is handed to the engine at once; native engines copy it on every call. */
const window = 8192;

/**
 * Walks a pattern of bounded width along a stream. A match that begins at least `width + 1` units before the end of the
 * known text cannot be changed by more text.
 */
export function patternWalker(pattern: LinearPattern, width: number, score: number): Walker {
  let next = 0;
  return {
    context: 2,
    advance(text, base, end, report) {
      for (;;) {
        const from = next - base;
        const to = Math.min(text.length, from + window + width);
        const whole = to === text.length;
        const certain = end && whole ? to : to - width - 1;
        if (from > certain) return end ? base + text.length : next;
        next = base + step(pattern, text, from, to, certain, base, score, report);
        if (whole) return end ? base + text.length : next;
      }
    },
  };
}

/** Reports the matches that begin in `[from, certain]`. Returns the position at which to continue. */
function step(
  pattern: LinearPattern,
  text: string,
  from: number,
  to: number,
  certain: number,
  base: number,
  score: number,
  report: WalkerReport,
): number {
  // One unit more in front, so that `\b` sees it and `^` does not take the window's start for the text's.
  const offset = Math.max(from - 1, 0);
  const slice = text.slice(offset, to);
  for (let at = from; ; ) {
    const match = at - offset <= slice.length ? pattern.find(slice, at - offset) : undefined;
    if (match === undefined || match.start + offset > certain) return outsidePair(text, Math.max(at, certain + 1));
    const end = match.end + offset;
    if (match.end > match.start) report(base + match.start + offset, base + end, score);
    at = Math.max(end, at + 1);
  }
}

/** Engines read code points: a search never begins between the halves of a surrogate pair. */
function outsidePair(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000 ? at + 1 : at;
}
