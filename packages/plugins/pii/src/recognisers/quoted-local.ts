/**
 * The characters that a quoted local part of an address may hold here: printable ASCII without spaces, quotes and what
 * ends words.
 */
const content = "[!#-;=?-_a-~]{1,62}";
/** RFC 5321: a local part has at most 64 characters, quotes included. */
const longest = 64;
const quote = 34;

/** Whether a character is one of `content`. */
const isContent = (code: number): boolean =>
  code > 32 && code < 127 && code !== quote && code !== 60 && code !== 62 && code !== 96;

/** The beginning of the quoted local part, not before `from`, whose closing quote ends at `end`: `"jane"`. `end` where there is none. */
export function quotedStart(text: string, end: number, from: number): number {
  const low = Math.max(from, end - longest);
  let start = end - 2;
  while (start >= low && isContent(text.charCodeAt(start))) start--;
  return start >= low && start < end - 2 && text.charCodeAt(start) === quote ? start : end;
}

const opening = new RegExp(`^"(?:${content}(?:"@?)?)?`);

/** Whether the quote at `index` begins a local part, as far as can be seen. */
export function opensLocal(text: string, index: number): boolean {
  const ahead = text.slice(index, index + longest + 1);
  const local = opening.exec(ahead)?.[0] ?? "";
  if (local.length < ahead.length || local.endsWith('"@')) return local.endsWith('"@');
  return ahead.length <= longest;
}

/** Whether the quote at `index` ends a local part, as far as can be seen. */
export function closesLocal(text: string, index: number): boolean {
  if (index + 1 < text.length && text.charAt(index + 1) !== "@") return false;
  return quotedStart(text, index + 1, 0) <= index;
}
