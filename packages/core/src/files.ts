/** The types of files that the providers of models take, by the beginning of their base64. */
const types = [
  [/^iVBORw0KGgo/, "image/png"],
  [/^\/9j\//, "image/jpeg"],
  [/^R0lGOD/, "image/gif"],
  [/^UklGR.{7}RUJQ/, "image/webp"], // RIFF is sound and film, too
  [/^JVBERi0/, "application/pdf"],
] as const;

/**
 * Whether a text is base64, of a byte at least: it takes time that grows with its length. No expression repeats over all of it: a process
 * that has compiled many no longer optimises them, and one that repeats then takes a stack of eight bytes a character, until it throws.
 */
export function isBase64(text: string): boolean {
  if (text === "" || text.length % 4 !== 0) return false;
  const end = text.search(/[^A-Za-z\d+/]/);
  return end === -1 || (end >= text.length - 2 && /^={1,2}$/.test(text.slice(end)));
}

/**
 * The type that a file has by its bytes, whatever somebody says that it is: of an image or a PDF document that the providers of models
 * take. Undefined for any other, and for what is no base64.
 */
export const takenType = (base64: string): (typeof types)[number][1] | undefined =>
  isBase64(base64) ? types.find(([start]) => start.test(base64))?.[1] : undefined;
