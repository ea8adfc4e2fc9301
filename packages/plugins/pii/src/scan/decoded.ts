import { fold, isAlpha, isHex, isInvisiblePair, ofTag } from "./characters.js";

/** A stretch of text as it reads once hidden forms are undone, with the way back to the text as given. */
export interface Decoded {
  readonly text: string;
  /** The index in the original of each unit of `text`, and one more for its end. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** True if it contains escapes of JSON and other hidden forms too. It is then read in two ways. */
  readonly mixed: boolean;
  /** True if it contains tag characters, which were dropped. It is then read once more, with the text that they spell. */
  readonly tagged: boolean;
}

const percent = 37;
const backslash = 92;
const slash = 47;
const equals = 61;
/** The number of backslashes before a letter in JSON within JSON within JSON within JSON. */
const deepest = 16;
/** The longest escape, with the letter and its digits. */
const longestEscape = deepest + 5;
const ampersand = 38;

/** The control characters of JSON's escapes, by their letters. */
const controls: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }).map(([letter, control]) => [
    letter.charCodeAt(0),
    control.charCodeAt(0),
  ]),
);

/**
 * The hidden forms that are undone: all of them, only the escapes of JSON, or all with tag characters read as ASCII
 * instead of dropped.
 */
export type Undoing = "all" | "json" | "tags";

/**
 * Undoes, once and in one pass: zero-width, bidi and tag characters, full-width forms, digits of other scripts, percent
 * encoding and HTML's `&#64;` (both only for printable ASCII), and the escapes of JSON at any nesting of JSON strings.
 * Returns `undefined` if there is nothing to undo.
 */
export function decode(text: string, from: number, to: number, undoing: Undoing = "all"): Decoded | undefined {
  const json = undoing === "json";
  const units: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let escapes = false;
  let others = false;
  let tagged = false;
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const escaped = json && code !== backslash ? undefined : escapedAt(text, at, to, code);
    const read = json ? (escaped?.code ?? code) : fold(escaped?.code ?? code);
    const next = escaped?.end ?? at + 1;
    if (code === backslash) escapes ||= read !== code;
    else others ||= read !== code;
    if (!json && isInvisiblePair(units.at(-1) ?? 0, read)) {
      const tag = ofTag(units.pop() ?? 0, read);
      const start = starts.pop() ?? at;
      ends.pop();
      others ||= code !== backslash;
      tagged ||= tag >= 0;
      if (tag >= 0 && undoing === "tags") {
        units.push(tag);
        starts.push(start);
        ends.push(next);
      }
    } else if (read >= 0) {
      units.push(read);
      starts.push(at);
      ends.push(next);
    }
    at = next;
  }
  return escapes || others ? { text: toText(units), starts, ends, mixed: escapes && others, tagged } : undefined;
}

interface Escaped {
  readonly code: number;
  readonly end: number;
}

function escapedAt(text: string, at: number, to: number, code: number): Escaped | undefined {
  if (code === percent) return ofUrl(text, at, to);
  // Quoted-printable (RFC 2045), of the mark of e-mail addresses alone.
  if (code === equals) return isQuotedAt(text, at) && at + 3 <= to ? { code: 64, end: at + 3 } : undefined;
  if (code === backslash) return ofJson(text, at, to);
  return code === ampersand ? reference(text, at, to) : undefined;
}

/** Returns true for a quoted-printable `@` at `at`. A letter must follow, since `total=4051` is not one. */
export const isQuotedAt = (text: string, at: number): boolean =>
  text.startsWith("=40", at) && isAlpha(text.charCodeAt(at + 3));

/** `%40`, `%2540`, and `%C3%BC`, which is UTF-8. */
function ofUrl(text: string, at: number, to: number): Escaped | undefined {
  let first = hexadecimal(text, at + 1, at + 3, to);
  for (let depth = 0; first?.code === percent && depth < deepest; depth++) {
    const inner = hexadecimal(text, first.end, first.end + 2, to);
    if (inner === undefined) break;
    first = inner;
  }
  if (first === undefined || first.code < 0x80) return printable(first);
  const more = first.code >= 0xe0 && first.code < 0xf0 ? 2 : first.code >= 0xc2 && first.code < 0xe0 ? 1 : 0;
  if (more === 0) return undefined;
  let code = first.code & (more === 1 ? 0x1f : 0x0f);
  let { end } = first;
  for (let byte = 0; byte < more; byte++) {
    const next = text.charCodeAt(end) === percent ? hexadecimal(text, end + 1, end + 3, to) : undefined;
    if (next === undefined || next.code >> 6 !== 2) return undefined;
    code = (code << 6) | (next.code & 0x3f);
    end = next.end;
  }
  return { code, end };
}

/** Reads `\n`, `\/`, `\u0040`, and `\x40`, with more backslashes before the letter in nested strings. */
function ofJson(text: string, at: number, to: number): Escaped | undefined {
  let letter = at + 1;
  while (letter < to && letter - at < deepest && text.charCodeAt(letter) === backslash) letter++;
  if (letter >= to) return undefined;
  const code = text.charCodeAt(letter);
  const end = letter + 1;
  if (code === slash) return { code, end };
  if (code === 117) return hexadecimal(text, end, end + 4, to);
  if (code === 120) return hexadecimal(text, end, end + 2, to);
  const control = controls.get(code);
  return control === undefined ? undefined : { code: control, end };
}

/** The place at or before `at` that lies in no escape. */
export function beforeEscape(text: string, at: number): number {
  let start = at;
  for (let index = at - 1; index >= at - longestEscape; index--) {
    const code = text.charCodeAt(index);
    if (code === backslash || code === percent || code === ampersand || isQuotedAt(text, index)) start = index;
  }
  return start;
}

/** Returns true if a JSON escape begins at `at` whose character is more than a mark. */
export const isEscape = (text: string, at: number, to: number): boolean =>
  text.charCodeAt(at) === backslash && ofJson(text, at, to) !== undefined;

function hexadecimal(text: string, from: number, end: number, to: number): Escaped | undefined {
  if (end > to) return undefined;
  for (let index = from; index < end; index++) if (!isHex(text.charCodeAt(index))) return undefined;
  return { code: Number.parseInt(text.slice(from, end), 16), end };
}

/** `&#64;`, `&#x40;`, `&commat;`, `&period;` */
function reference(text: string, at: number, to: number): Escaped | undefined {
  const close = text.slice(at, Math.min(to, at + 10)).indexOf(";");
  const name = close > 0 ? text.slice(at + 1, at + close) : "";
  const end = at + close + 1;
  if (name === "commat") return { code: 64, end };
  if (name === "period") return { code: 46, end };
  if (/^#\d{2,5}$/.test(name)) return printable({ code: Number(name.slice(1)), end });
  if (/^#[xX][\dA-Fa-f]{2,4}$/.test(name)) return printable({ code: Number.parseInt(name.slice(2), 16), end });
  return undefined;
}

const printable = (escaped: Escaped | undefined): Escaped | undefined =>
  escaped !== undefined && escaped.code >= 0x20 && escaped.code < 0x7f ? escaped : undefined;

function toText(units: readonly number[]): string {
  let text = "";
  for (let at = 0; at < units.length; at += 1024) text += String.fromCharCode(...units.slice(at, at + 1024));
  return text;
}
