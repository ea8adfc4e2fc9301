/** The longest text that is shown at once, in characters. */
const LONGEST = 4000;

/** Characters that a terminal would obey, or that hide or turn around what stands beside them: Unicode's Cc, Cf, Zl and Zp, but the line feed. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text of a model or a user as it may be shown at a terminal: control characters, escape sequences and what turns the
 * direction of writing are spelt out, and a long text is cut, with the number of characters that are left out.
 */
export function visible(text: string): string {
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const spelt = shown.replaceAll(UNSEEN, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
  return shown === text ? spelt : `${spelt}… (${text.length - LONGEST} more characters)`;
}
