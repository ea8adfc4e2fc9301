/** File types that model providers accept, by the beginning of their base64. */
const types = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  [/^UklGR.{7}RUJQ/, "image/webp"], // RIFF is also used for sound and video
  [/^JVBERi0/, "application/pdf"],
] as const;

/**
 * True if a string is base64 of at least one byte. Takes linear time. No expression repeats over the whole string: a
 * process that has compiled many expressions no longer optimizes them. A repeating one then needs eight bytes of stack
 * per character, and throws on long strings.
 */
export function isBase64(text: string): boolean {
  if (text === "" || text.length % 4 !== 0) return false;
  const end = text.search(/[^A-Za-z\d+/]/);
  return end === -1 || (end >= text.length - 2 && /^={1,2}$/.test(text.slice(end)));
}

/**
 * Returns the type of a file by its bytes, regardless of its declared type: an image or a PDF document that model
 * providers accept. Returns `undefined` for any other file and for invalid base64.
 */
export const takenType = (base64: string): (typeof types)[number][1] | undefined =>
  isBase64(base64) ? types.find(([start]) => start.test(base64))?.[1] : undefined;
