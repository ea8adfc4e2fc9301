/** The maximum number of characters of a line shown to the model. */
const mostOfLine = 500;

/**
 * Formats a path for the model: from the root, which is `/`, and on one line even if its names contain control
 * characters.
 */
export const displayPath = (path: string): string => `/${onOneLine(path)}`;

/** Formats a line for the model. */
export const displayLine = (line: string): string =>
  onOneLine(line.length > mostOfLine ? `${line.slice(0, mostOfLine).replace(/[\ud800-\udbff]$/, "")}[…]` : line);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be shown
const control = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Control characters could start another line or disguise a string. */
const onOneLine = (text: string): string =>
  text.replaceAll(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Joins lines up to a number of characters, and adds notes about missing content. */
export function displayLines(lines: readonly string[], maxCharacters: number, notes: readonly string[]): string {
  const included: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > maxCharacters) break;
    included.push(line);
  }
  const all = included.length < lines.length ? [...notes, "there is more than can be shown"] : notes;
  if (all.length > 0) included.push(`(${all.join("; ")}: narrow the search, or search in a folder)`);
  return included.join("\n");
}
