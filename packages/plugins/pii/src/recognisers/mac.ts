import { isAlpha, isDigit, isHex, isWord, unitAt } from "../scan/characters.js";
import type { Recogniser, Report } from "../scan/recogniser.js";
import { afterLabel } from "./label.js";

const colon = 58;
const dot = 46;
const space = 32;
/** The length of seven pairs with spaces and the text before them. */
const longestSpaced = 24;
/** The broadcast address and the null address. */
const nobody = /^(?:[fF\W]+|[0\W]+)$/;

const hexadecimal = "0123456789ABCDEFabcdef";
/** Pairs with spaces, up to the index at which another one may follow. */
const begun = /(?:^|[^0-9A-Za-z])(?:[0-9A-Fa-f]{2} ){0,6}[0-9A-Fa-f]{2}$/;

/**
 * MAC addresses, EUI-48 and EUI-64 (IEEE 802): pairs with `:` or `-`, and Cisco's groups of four with dots. Pairs with
 * spaces need a keyword. All zeros and all ones are left out.
 *
 * @example 00:1a:2b:3c:4d:5e
 */
export const mac = {
  type: "mac",
  triggers: ":-.0123456789",
  // One of the pairs with spaces contains a digit: the first one, or one after letters.
  sites: ["xx:xx:xx:xx", "xx-xx-xx-xx", "xxxx.xxxx.x", "dx xx xx", "xd xx xx", "ff dx", "ff xd"],
  reach: 11,
  anyCase: true,
  joins: [
    {
      before: hexadecimal,
      after: hexadecimal,
      // Most words have more than two letters.
      inside: (text, index) =>
        !isWord(unitAt(text, index - 3)) && begun.test(text.slice(Math.max(0, index - longestSpaced), index)),
    },
  ],
  labels: { mac: 0.4 },
  alone: 0.35,
  look(text, at, from, to, report) {
    const separator = unitAt(text, at);
    if (isDigit(separator)) return lookSpaced(text, at, from, to, report);
    const size = separator === dot ? 4 : 2;
    const start = at - size;
    if (start < from || unitAt(text, at + size + 1) !== separator) return at + 1;
    if (!isGroup(text, start, size, to) || !begins(text, start, separator, from)) return at + 1;
    let groups = 1;
    let end = at;
    while (groups <= 8 && text.charCodeAt(end) === separator && isGroup(text, end + 1, size, to)) {
      groups++;
      end += size + 1;
    }
    const bytes = (groups * size) / 2;
    if ((bytes !== 6 && bytes !== 8) || !ends(text, end, separator)) return at + 1;
    if (size === 4 && !hasLetter(text, start, end)) return at + 1;
    if (!nobody.test(text.slice(start, end))) report(start, end, 0.97);
    return at + 1;
  },
  normal: (value) => value.replaceAll(/[^0-9A-Fa-f]/g, "").toLowerCase(),
  mask(value) {
    return `**:**:**:**:**:${value.slice(-2)}`;
  },
} as const satisfies Recogniser;

/** Finds six or eight pairs with spaces, starting from their first digit. */
function lookSpaced(text: string, at: number, from: number, to: number, report: Report): number {
  let start = isWord(unitAt(text, at - 1)) ? at - 1 : at;
  if (unitAt(text, start + 2) !== space || !isPair(text, start, to)) return at + 1;
  while (start - 3 >= from && at - start < longestSpaced && isPair(text, start - 3, to)) start -= 3;
  let end = start + 2;
  while (end - start < longestSpaced && text.charCodeAt(end) === space && isGroup(text, end + 1, 2, to)) end += 3;
  const pairs = (end - start + 1) / 3;
  const apart = start >= from && !isWord(unitAt(text, start - 1)) && !isWord(unitAt(text, end));
  if ((pairs === 6 || pairs === 8) && apart && !nobody.test(text.slice(start, end))) report(start, end, 0.2);
  return Math.max(end, at + 1);
}

const isPair = (text: string, at: number, to: number): boolean =>
  isGroup(text, at, 2, to) && unitAt(text, at + 2) === space && !isWord(unitAt(text, at - 1));

function isGroup(text: string, at: number, size: number, to: number): boolean {
  if (at + size > to) return false;
  for (let index = at; index < at + size; index++) if (!isHex(text.charCodeAt(index))) return false;
  return true;
}

function begins(text: string, start: number, separator: number, from: number): boolean {
  const before = unitAt(text, start - 1);
  if (isWord(before)) return false;
  return before === colon ? afterLabel(text, start, from) : before !== separator;
}

function ends(text: string, end: number, separator: number): boolean {
  const after = unitAt(text, end);
  return !isWord(after) && (after !== separator || !isWord(unitAt(text, end + 1)));
}

/** `1234.5678.9012` may be anything. */
function hasLetter(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (isAlpha(text.charCodeAt(index))) return true;
  return false;
}
