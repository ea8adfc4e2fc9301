import { BREAK, isWord, kinds } from "../scan/characters.js";
import { hasPublicSuffix } from "./url/domains.js";

/** The longest part of a domain, from the `@`, that is joined with its continuation after a full stop. */
const longest = 64;
const fullWidthMark = 0xff20;
const mark = 64;
const stops = /[\u3002\uff61]/g;

/** Returns true for the ideographic full stops, which IDNA reads as dots of a domain and prose as ends of sentences. */
export const isFullStop = (code: number): boolean => code === 0x3002 || code === 0xff61;

/** Returns the domain with a dot in place of each ideographic full stop. */
export const withDots = (domain: string): string => domain.replace(stops, ".");

/** Returns true if an address may continue over a full stop, also if only text that is not known yet could make it so. */
export function mayJoin(text: string, index: number): boolean {
  if (!isFullStop(text.charCodeAt(index)) || isEnd(text.charCodeAt(index - 1))) return false;
  if (index + 1 < text.length && isEnd(text.charCodeAt(index + 1))) return false;
  for (let before = index - 1; before >= Math.max(0, index - 1 - longest); before--) {
    const code = text.charCodeAt(before);
    if (code === mark || code === fullWidthMark) return true;
    if (isEnd(code) && !isFullStop(code)) return false;
  }
  return false;
}

const isEnd = (code: number): boolean => Number.isNaN(code) || ((kinds[code] ?? 0) & BREAK) !== 0;

/**
 * Returns true if the full stop at `index` continues the domain that begins at `from`: it stands between ASCII labels,
 * and the labels before it are not a whole domain already. After a whole domain it ends the sentence.
 */
export function joins(text: string, from: number, index: number, to: number): boolean {
  if (index - from > longest || index + 1 >= to) return false;
  if (!isWord(text.charCodeAt(index - 1)) || !isWord(text.charCodeAt(index + 1))) return false;
  const before = text.slice(from, index);
  return !before.includes(".") || !hasPublicSuffix(before) || withDots(before) !== before;
}

/**
 * Returns true if a domain with full stops ends with a known top-level domain. A capital letter begins a sentence, unless
 * the whole domain is in capital letters.
 */
export function isJoined(domain: string): boolean {
  const name = withDots(domain);
  const last = name.slice(name.lastIndexOf(".") + 1);
  return (last === last.toLowerCase() || name === name.toUpperCase()) && hasPublicSuffix(name);
}
