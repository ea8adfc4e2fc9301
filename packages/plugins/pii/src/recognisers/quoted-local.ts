/**
 * The characters that a quoted local part of an address may hold here: printable ASCII without spaces, quotes and what
 * ends words.
 */
const content = "[!#-;=?-_a-~]";
/** RFC 5321: a local part has at most 64 characters, quotes included. */
const longest = 64;
const quote = 34;
const at = 64;

/** The characters of ASCII: 1 for those of `content`. */
const contents = Uint8Array.from({ length: 128 }, (_, code) =>
  new RegExp(content).test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Returns the beginning of the quoted local part (`"jane"`) whose closing quote ends at `end`, not before `from`.
 * Returns `end` if it is absent.
 */
export function quotedStart(text: string, end: number, from: number): number {
  const low = Math.max(from, end - longest);
  let start = end - 2;
  while (start >= low && contents[text.charCodeAt(start)] === 1) start--;
  return start >= low && start < end - 2 && text.charCodeAt(start) === quote ? start : end;
}

/** Returns `true` if the quote at `index` begins a local part, or may do so once more text is known. */
export function opensLocal(text: string, index: number): boolean {
  const limit = Math.min(text.length, index + longest - 1);
  let end = index + 1;
  while (end < limit && contents[text.charCodeAt(end)] === 1) end++;
  if (end === text.length) return true;
  if (end === index + 1 || text.charCodeAt(end) !== quote) return false;
  return end + 1 === text.length || text.charCodeAt(end + 1) === at;
}

/** Returns true if the quote at `index` seems to end a local part. */
export function closesLocal(text: string, index: number): boolean {
  if (index + 1 < text.length && text.charAt(index + 1) !== "@") return false;
  return quotedStart(text, index + 1, 0) <= index;
}
