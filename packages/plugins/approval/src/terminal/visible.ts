import { printable } from "@suite/kit/text";

/** The longest text that is shown at once, in characters. */
const LONGEST = 4000;

/**
 * Formats untrusted text for a terminal: each line is `printable`, and long text is cut, with the number of characters
 * left out.
 */
export function visible(text: string): string {
  const truncated = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const spelt = truncated.split("\n").map(printable).join("\n");
  return truncated === text ? spelt : `${spelt}… (${text.length - LONGEST} more characters)`;
}
