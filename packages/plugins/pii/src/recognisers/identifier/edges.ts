import { isDigit, isWord, kinds, SPACE } from "../../scan/characters.js";

const hyphen = 45;
const marks = { dollar: 36, percent: 37, plus: 43, dot: 46, slash: 47, at: 64, underscore: 95 };

/**
 * Returns true if a value may begin at `start`: not within a word, a number with a fraction, a path, or a row of
 * groups.
 */
export function begins(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1);
  const second = text.charCodeAt(start - 2);
  if (isWord(before) || before === marks.underscore || before === marks.dollar || before === marks.plus) return false;
  if (before === hyphen) return !isWord(second);
  return !(before === marks.dot || before === marks.slash) || !isDigit(second);
}

/** Returns true if a value may end at `end`. A value in groups must not be followed by another group. */
export function ends(text: string, start: number, end: number): boolean {
  const after = text.charCodeAt(end);
  const second = text.charCodeAt(end + 1);
  if (isWord(after) || after === marks.underscore || after === marks.percent || after === marks.at) return false;
  if (after === hyphen) return !isWord(second);
  if (after === marks.dot || after === marks.slash) return !isDigit(second);
  if (!isGrouped(text, start, end)) return true;
  return (
    !(isSpace(after) && isDigit(second)) &&
    !(isSpace(text.charCodeAt(start - 1)) && isDigit(text.charCodeAt(start - 2)))
  );
}

const isSpace = (code: number): boolean => ((kinds[code] ?? 0) & SPACE) !== 0;

function isGrouped(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isSpace(text.charCodeAt(at))) return true;
  return false;
}
