/** Characters of a line that a model is shown. */
const mostOfLine = 500;

/** A path as a model is shown it: from the root, which is `/`, on one line whatever characters its names have. */
export const shownPath = (path: string): string => `/${onOneLine(path)}`;

/** A line as a model is shown it. */
export const shownLine = (line: string): string =>
  onOneLine(line.length > mostOfLine ? `${line.slice(0, mostOfLine).replace(/[\ud800-\udbff]$/, "")}[…]` : line);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be shown
const control = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Control characters would begin another line, or let a text look like another. */
const onOneLine = (text: string): string =>
  text.replaceAll(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Lines within a number of characters, and a note of what is missing. */
export function shownLines(lines: readonly string[], maxCharacters: number, notes: readonly string[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > maxCharacters) break;
    shown.push(line);
  }
  const all = shown.length < lines.length ? [...notes, "there is more than can be shown"] : notes;
  if (all.length > 0) shown.push(`(${all.join("; ")}: search for less, or in a folder)`);
  return shown.join("\n");
}
