import { isWord } from "../../scan/characters.js";
import { isHost } from "./characters.js";

const comma = 44;
const semicolon = 59;
const apostrophe = 39;
const equals = 61;
const ampersand = 38;
const question = 63;
const longestName = 40;

/**
 * Returns the end of the field that an address fills and that begins at `start`: in a list the mark that stands before
 * it, in single quotes the closing quote, after `name=` the next name, and at the beginning of a line the next field.
 * Returns `to` if it is not in a field.
 *
 * @param bare True if the address has no scheme.
 */
export function fieldEnd(text: string, start: number, from: number, to: number, bare: boolean): number {
  const before = text.charCodeAt(start - 1);
  if (before === comma || before === semicolon) return next(text, from, to, before);
  // `'…/it's'` continues after the apostrophe.
  if (before === apostrophe) return next(text, from, to, before, isWord);
  if (before === equals) return assigned(text, from, to);
  const end = nextAddress(text, from, to);
  const isLine = before === 10 || before === 13 || (Number.isNaN(before) && to < text.length);
  return isLine ? ofRow(text, from, end, bare) : end;
}

function next(text: string, from: number, to: number, mark: number, goesOn?: (code: number) => boolean): number {
  let end = from;
  while (end < to && (text.charCodeAt(end) !== mark || goesOn?.(text.charCodeAt(end + 1)))) end++;
  return end;
}

/** Finds `,name=`, or `&name=` if the address has no query. */
function assigned(text: string, from: number, to: number): number {
  for (let end = from; end < to; end++) {
    const code = text.charCodeAt(end);
    if (code === question) return to;
    if ((code === comma || code === semicolon || code === ampersand) && isNamed(text, end + 1, to)) return end;
  }
  return to;
}

const address = /[a-z]{2,5}:\/\//iy;

/** `…,https://`: another address of a list. */
function nextAddress(text: string, from: number, to: number): number {
  for (let end = from; end < to; end++) {
    const code = text.charCodeAt(end);
    if (code !== comma && code !== semicolon) continue;
    address.lastIndex = end + 1;
    if (address.test(text)) return end;
  }
  return to;
}

/**
 * Returns the end in the first field of a row: the mark after it, unless the address continues after that:
 * `/@1,2/data=3`. Without a scheme it hardly does: `example.com/a,v1.0.0,h1:3a/5=`.
 */
function ofRow(text: string, from: number, to: number, bare: boolean): number {
  let mark = to;
  for (let end = from; end < to; end++) {
    const code = text.charCodeAt(end);
    if (mark < to && goesOn.has(code)) return to;
    if (mark === to && (code === comma || code === semicolon)) mark = end;
    if (mark < to && bare) break;
  }
  return mark;
}

const goesOn = new Set([..."/?#=&"].map((sign) => sign.charCodeAt(0)));

function isNamed(text: string, from: number, to: number): boolean {
  let end = from;
  while (end < to && end - from < longestName && isHost(text.charCodeAt(end))) end++;
  return end > from && text.charCodeAt(end) === equals;
}
