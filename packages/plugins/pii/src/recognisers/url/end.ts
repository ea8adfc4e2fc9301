import { unitAt } from "../../scan/characters.js";

/** Marks that end a sentence or stand around an address rather than in it. */
const after = new Set([...".,:;!?'*–"].map((mark) => mark.charCodeAt(0)));
/** Marks of emphasis in Markdown, on both sides of a word. `*` is in `after`. */
const emphasis = new Set([..."_~"].map((mark) => mark.charCodeAt(0)));
const apostrophe = 39;
const star = 42;
const question = 63;
const equals = 61;
const slash = 47;
const letterS = 115;
/** HTML references for quotes, angle brackets, a space and dashes. None is part of an address. */
const reference =
  /&(?:quot|apos|lt|gt|nbsp|[lr][as]?quo|[lr]dquo|hellip|[mn]dash|#0?(?:34|39|60|62|160)|#x0?(?:22|27|3c|3e|a0));/iy;

/**
 * Returns the end of an address without the punctuation of its sentence. An address ends before `'s`.
 *
 * @param start The beginning of the whole address.
 * @param from The beginning of its host.
 */
export function trimmed(text: string, start: number, from: number, to: number): number {
  let end = to;
  // The end of an encoded word of e-mail headers (RFC 2047).
  if (endsWith(text, end, question, equals)) end -= 2;
  // The end of a comment.
  if (endsWith(text, end, star, slash) && unitAt(text, end - 3) !== slash) end -= 2;
  if (endsWith(text, end, apostrophe, letterS)) end -= 2;
  const stress = unitAt(text, start - 1);
  while (end > from && isAround(text.charCodeAt(end - 1), stress)) end--;
  return end;
}

const endsWith = (text: string, end: number, first: number, second: number): boolean =>
  unitAt(text, end - 1) === second && unitAt(text, end - 2) === first;

const isAround = (code: number, stress: number): boolean => after.has(code) || (code === stress && emphasis.has(code));

/** The end at the first closing bracket without its partner, a closing tag (`[/url]`), or a reference of HTML. */
export function closed(text: string, from: number, to: number): number {
  let round = 0;
  let square = 0;
  let curly = 0;
  for (let index = from; index < to; index++) {
    switch (text.charCodeAt(index)) {
      case 40:
        round++;
        break;
      case 41:
        if (round-- === 0) return index;
        break;
      case 91:
        if (unitAt(text, index + 1) === slash) return index;
        square++;
        break;
      case 93:
        if (square-- === 0) return index;
        break;
      case 123:
        curly++;
        break;
      case 125:
        if (curly-- === 0) return index;
        break;
      case 38:
        reference.lastIndex = index;
        if (reference.test(text)) return index;
    }
  }
  return to;
}
