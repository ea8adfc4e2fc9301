import { isHex, isWord, unitAt } from "../scan/characters.js";

const colon = 58;
const longestGroup = 4;

/** Returns true if the colon before `start` ends a label (`host:`, `MAC:`) and not a group of hexadecimal digits. */
export function afterLabel(text: string, start: number, from: number): boolean {
  if (unitAt(text, start - 1) !== colon) return false;
  let index = start - 2;
  for (; index >= from && isWord(text.charCodeAt(index)); index--) {
    if (!isHex(unitAt(text, index)) || start - 1 - index > longestGroup) return true;
  }
  return index === start - 2 && unitAt(text, index) !== colon;
}
