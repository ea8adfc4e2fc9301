import { isAlpha, isHex, isWord } from "../scan/characters.js";
import { afterLabel } from "./label.js";
import type { Recogniser } from "./recogniser.js";

const colon = 58;
const dot = 46;

/** EUI-48 and EUI-64 (IEEE 802): pairs with `:` or `-`, and Cisco's groups of four with dots. */
export const mac = {
  type: "mac",
  triggers: ":-.",
  look(text, at, from, to, report) {
    const separator = text.charCodeAt(at);
    const size = separator === dot ? 4 : 2;
    const start = at - size;
    if (start < from || text.charCodeAt(at + size + 1) !== separator) return at + 1;
    if (!isGroup(text, start, size, to) || !begins(text, start, separator, from)) return at + 1;
    let groups = 1;
    let end = at;
    while (groups <= 8 && text.charCodeAt(end) === separator && isGroup(text, end + 1, size, to)) {
      groups++;
      end += size + 1;
    }
    const bytes = (groups * size) / 2;
    if ((bytes === 6 || bytes === 8) && ends(text, end, separator) && (size === 2 || hasLetter(text, start, end))) {
      report(start, end, 0.95);
    }
    return at + 1;
  },
  mask(value) {
    return `**:**:**:**:**:${value.slice(-2)}`;
  },
} as const satisfies Recogniser;

function isGroup(text: string, at: number, size: number, to: number): boolean {
  if (at + size > to) return false;
  for (let index = at; index < at + size; index++) if (!isHex(text.charCodeAt(index))) return false;
  return true;
}

function begins(text: string, start: number, separator: number, from: number): boolean {
  const before = text.charCodeAt(start - 1);
  if (isWord(before)) return false;
  return before === colon ? afterLabel(text, start, from) : before !== separator;
}

function ends(text: string, end: number, separator: number): boolean {
  const after = text.charCodeAt(end);
  return !isWord(after) && (after !== separator || !isWord(text.charCodeAt(end + 1)));
}

/** `1234.5678.9012` may be anything. */
function hasLetter(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (isAlpha(text.charCodeAt(index))) return true;
  return false;
}
