import { isWord } from "../../scan/characters.js";

const dot = 46;
/** Headers are short, unless they carry certificates. */
const longestHeader = 8192;

/**
 * Returns the end of the JSON Web Token (RFC 7519) that begins at `at`, or 0 if it is absent. Its header is base64url
 * of a JSON object with `alg` (RFC 7515). A signed token has three parts, the last one empty if `alg` is `none`. An
 * encrypted one has five (RFC 7516).
 *
 * @param open True if the text continues after its end, so that a token that reaches the end is longer.
 */
export function jwtEnd(text: string, at: number, open: boolean): number {
  const header = partEnd(text, at);
  if (header === text.length) return open && claims(text.slice(at, header)) ? header : 0;
  const parts = text.charCodeAt(header) === dot ? partsOf(text.slice(at, header)) : 0;
  if (parts === 0) return 0;
  const second = partEnd(text, header + 1);
  if (second === text.length) return open ? second : 0;
  if (text.charCodeAt(second) !== dot) return 0;
  let end = partEnd(text, second + 1);
  for (let part = 3; part < parts && text.charCodeAt(end) === dot; part++) end = partEnd(text, end + 1);
  return end;
}

/** The end of the run of base64url from `at` on. */
function partEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isBase64Url(text.charCodeAt(end))) end++;
  return end;
}

const isBase64Url = (code: number): boolean => isWord(code) || code === 45 || code === 95;

/** Returns the number of parts of a token with this header, or 0 if it is not a header. */
function partsOf(header: string): number {
  if (header.length > longestHeader) return 0;
  try {
    const value: unknown = JSON.parse(decode(header));
    if (typeof value !== "object" || value === null || !("alg" in value)) return 0;
    return "enc" in value ? 5 : 3;
  } catch {
    return 0;
  }
}

/** Returns true if a part begins like a header that is not complete yet. */
function claims(part: string): boolean {
  try {
    return decode(part.slice(0, part.length - (part.length % 4))).includes('"alg"');
  } catch {
    return false;
  }
}

const decode = (part: string): string => atob(part.replaceAll("-", "+").replaceAll("_", "/"));
