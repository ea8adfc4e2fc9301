/**
 * The characters that a quoted local part of an address may hold here: printable ASCII without spaces, quotes and what
 * ends words.
 */
const content = "[!#-;=?-_a-~]{1,62}";
/** RFC 5321: a local part has at most 64 characters, quotes included. */
export const longestQuoted = 64;

/** A quoted local part at the end of a text: `"jane"`. */
export const quoted = new RegExp(`"${content}"$`);

const opening = new RegExp(`^"(?:${content}(?:"@?)?)?`);

/** Whether the quote at `index` begins a local part, as far as can be seen. */
export function opensLocal(text: string, index: number): boolean {
  const ahead = text.slice(index, index + longestQuoted + 1);
  const local = opening.exec(ahead)?.[0] ?? "";
  if (local.length < ahead.length || local.endsWith('"@')) return local.endsWith('"@');
  return ahead.length <= longestQuoted;
}

/** Whether the quote at `index` ends a local part, as far as can be seen. */
export function closesLocal(text: string, index: number): boolean {
  if (index + 1 < text.length && text.charAt(index + 1) !== "@") return false;
  return quoted.test(text.slice(Math.max(0, index + 1 - longestQuoted), index + 1));
}
