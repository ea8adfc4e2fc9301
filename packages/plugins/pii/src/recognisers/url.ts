import { BREAK, HIDDEN, isAlpha, isDigit, isLetter, isWord, kinds } from "../scan/characters.js";
import type { Recogniser } from "./recogniser.js";
import { trimmed } from "./url-end.js";

const colon = 58;
const dot = 46;
const slash = 47;
const schemes = ["https", "http", "ftps", "sftp", "ftp", "wss", "ws"] as const;
const longestScheme = 5;
const longestHost = 255;
const longestLiteral = 64;

/** Addresses with a scheme (`https://…`, RFC 3986) or with `www.` in front, up to the punctuation of the sentence. */
export const url = {
  type: "url",
  triggers: ":.",
  look(text, at, from, to, report) {
    if (text.charCodeAt(at) === colon) {
      if (text.charCodeAt(at + 1) !== slash || text.charCodeAt(at + 2) !== slash) return at + 1;
      const start = schemeStart(text, at, from);
      const end = start < 0 ? 0 : addressEnd(text, at + 3, to);
      if (end === 0) return at + 3;
      report(start, end, 1);
      return end;
    }
    const start = at - 3;
    if (start < from || text.slice(start, at).toLowerCase() !== "www" || isWord(text.charCodeAt(start - 1)))
      return at + 1;
    const end = hasTopLevel(text, at + 1, to) ? addressEnd(text, start, to) : 0;
    if (end === 0) return at + 1;
    report(start, end, 0.9);
    return end;
  },
  mask(value) {
    const scheme = value.indexOf("://");
    return scheme > 0 ? `${value.slice(0, scheme)}://***` : "www.***";
  },
} as const satisfies Recogniser;

/** Where the scheme that ends at `at` begins; -1 for one that is not a web address. */
function schemeStart(text: string, at: number, from: number): number {
  const before = text.slice(Math.max(from, at - longestScheme), at).toLowerCase();
  const scheme = schemes.find((name) => before.endsWith(name));
  return scheme === undefined ? -1 : at - scheme.length;
}

/** The end of host, port, path, query and fragment; 0 without a host. */
function addressEnd(text: string, from: number, to: number): number {
  const host = afterUser(text, from, to);
  let end = text.charCodeAt(host) === 91 ? literalEnd(text, host, to) : hostEnd(text, host, to);
  if (end === host) return 0;
  const port = text.charCodeAt(end) === colon ? digitsEnd(text, end + 1, to) : end;
  if (port > end + 1) end = port;
  const next = text.charCodeAt(end);
  if (end < to && (next === slash || next === 63 || next === 35)) {
    while (end < to && isAddress(text.charCodeAt(end))) end++;
  }
  return trimmed(text, host, end);
}

/** Where the host begins, behind `user:password@`. */
function afterUser(text: string, from: number, to: number): number {
  let host = from;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    if (code === slash || code === 63 || code === 35 || !isAddress(code)) break;
    if (code === 64) host = index + 1;
  }
  return host;
}

function hostEnd(text: string, from: number, to: number): number {
  if (!isWord(text.charCodeAt(from)) && !isLetter(text.charCodeAt(from))) return from;
  let end = from;
  while (end < to && isHost(text.charCodeAt(end))) end++;
  return end;
}

/** `[2001:db8::1]`, also with a zone: what may stand in an IP literal (RFC 3986, RFC 6874), and no word of a sentence. */
function literalEnd(text: string, from: number, to: number): number {
  let colons = 0;
  for (let index = from + 1; index < Math.min(to, from + longestLiteral); index++) {
    const code = text.charCodeAt(index);
    if (code === 93) return colons > 1 ? index + 1 : from;
    if (code === colon) colons++;
    else if (!isLiteral(code)) return from;
  }
  return from;
}

function digitsEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && end < from + 5 && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a name with at least one more dot, and letters behind it, follows. */
function hasTopLevel(text: string, from: number, to: number): boolean {
  const end = hostEnd(text, from, Math.min(to, from + longestHost));
  for (let index = end - 1; index > from; index--) {
    if (text.charCodeAt(index) !== dot) continue;
    const next = text.charCodeAt(index + 1);
    const second = text.charCodeAt(index + 2);
    if (index + 2 < end && (isAlpha(next) || isLetter(next)) && (isWord(second) || isLetter(second))) return true;
  }
  return false;
}

const isHost = (code: number): boolean => isWord(code) || code === dot || code === 45 || code === 95 || isLetter(code);

const isLiteral = (code: number): boolean => isWord(code) || code === dot || code === 37 || code === 45 || code === 126;

/** What may stand in an address; a backslash begins an escape of the text around it. */
const isAddress = (code: number): boolean =>
  ((kinds[code] ?? 0) & (BREAK | HIDDEN)) === 0 && code < 0xd800 && code !== 92;
