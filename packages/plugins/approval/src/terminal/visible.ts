import { printable } from "@suite/core/terminal";

/** The longest text that is shown at once, in characters. */
const LONGEST = 4000;

/**
 * Returns a text of a model or a user as it may be shown at a terminal: each line is `printable`, and a long text is cut, with
 * the number of characters that are left out.
 */
export function visible(text: string): string {
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const spelt = shown.split("\n").map(printable).join("\n");
  return shown === text ? spelt : `${spelt}… (${text.length - LONGEST} more characters)`;
}
