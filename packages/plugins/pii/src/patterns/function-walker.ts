import type { Walker } from "../scan/recogniser.js";
import { type WindowMatch, windowWalker } from "./window-walker.js";

/**
 * Walks a function that looks at whole texts along a stream: in windows where its matches have a declared length, else
 * at the end only.
 *
 * @param stride how far windows lie apart.
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
