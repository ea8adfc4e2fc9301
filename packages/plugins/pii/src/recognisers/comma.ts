import { isDigit, unitAt } from "../scan/characters.js";

const comma = 44;
const hyphen = 45;
const dot = 46;
const zero = 48;
/** The maximum number of digits of a double-precision number. */
const longest = 17;

/**
 * Returns true if the digits `[start, end)` are the fraction of a number with a decimal comma: `0,41`, and not a field
 * of a list.
 */
export function isFraction(text: string, start: number, end: number): boolean {
  if (unitAt(text, start - 1) !== comma || !isDigit(unitAt(text, start - 2))) return false;
  let whole = start - 2;
  while (start - whole <= longest && isDigit(text.charCodeAt(whole - 1))) whole--;
  if (end - whole - 1 > longest || unitAt(text, end) === comma) return false;
  const before = unitAt(text, whole - 1);
  if (before === comma || before === dot) return false;
  if (before === hyphen || (unitAt(text, whole) === zero && whole === start - 2)) return true;
  // In lists whose numbers have decimal commas, something else stands between the numbers.
  return isSeparator(before) || isSeparator(unitAt(text, end));
}

/** A semicolon or a tab. */
const isSeparator = (code: number): boolean => code === 59 || code === 9;
