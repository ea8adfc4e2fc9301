import type { Walker } from "../scan/recogniser.js";
import { type WindowMatch, windowWalker } from "./window-walker.js";

/**
 * Walks a function that needs whole texts along a stream: in windows if its matches have a declared length, otherwise
 * only at the end.
 *
 * @param stride The distance between windows.
 */
export function functionWalker(
  find: (text: string) => Iterable<WindowMatch>,
  maxLength: number | undefined,
  stride?: number,
): Walker {
  if (maxLength !== undefined) return windowWalker(find, maxLength, stride);
  return {
    context: 0,
    advance(text, base, end, report) {
      if (!end) return base;
      for (const match of text === "" ? [] : find(text)) report(base + match.start, base + match.end, match.score);
      return base + text.length;
    },
  };
}
