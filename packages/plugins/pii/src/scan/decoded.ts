import { fold, HIDDEN, isHex, kinds } from "./characters.js";

/** A stretch of text as it reads once hidden forms are undone, with the way back to the text as given. */
export interface Decoded {
  readonly text: string;
  /** Where each unit of `text` begins in the original, and one more for its end. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const percent = 37;
const backslash = 92;
const ampersand = 38;

/**
 * Undoes, once and in one pass: zero-width and bidi characters, full-width forms, digits of other scripts, percent
 * encoding, JSON's `\u0040` and HTML's `&#64;`, these three where they stand for printable ASCII. Undefined where
 * there is nothing to undo.
 */
export function decode(text: string, from: number, to: number): Decoded | undefined {
  const units: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let changed = false;
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at);
    const escaped = escapedAt(text, at, to, code);
    const read = escaped?.code ?? (((kinds[code] ?? 0) & HIDDEN) === 0 ? code : fold(code));
    const next = escaped?.end ?? at + 1;
    changed ||= read !== code;
    if (read >= 0) {
      units.push(read);
      starts.push(at);
      ends.push(next);
    }
    at = next;
  }
  return changed ? { text: toText(units), starts, ends } : undefined;
}

interface Escaped {
  readonly code: number;
  readonly end: number;
}

function escapedAt(text: string, at: number, to: number, code: number): Escaped | undefined {
  if (code === percent) return hexadecimal(text, at + 1, at + 3, to);
  if (code === backslash) {
    const letter = text.charCodeAt(at + 1);
    if (letter === 117) return hexadecimal(text, at + 2, at + 6, to);
    return letter === 120 ? hexadecimal(text, at + 2, at + 4, to) : undefined;
  }
  return code === ampersand ? reference(text, at, to) : undefined;
}

function hexadecimal(text: string, from: number, end: number, to: number): Escaped | undefined {
  if (end > to) return undefined;
  for (let index = from; index < end; index++) if (!isHex(text.charCodeAt(index))) return undefined;
  return printable(Number.parseInt(text.slice(from, end), 16), end);
}

/** `&#64;`, `&#x40;`, `&commat;`, `&period;` */
function reference(text: string, at: number, to: number): Escaped | undefined {
  const close = text.slice(at, Math.min(to, at + 10)).indexOf(";");
  const name = close > 0 ? text.slice(at + 1, at + close) : "";
  const end = at + close + 1;
  if (name === "commat") return { code: 64, end };
  if (name === "period") return { code: 46, end };
  if (/^#\d{2,5}$/.test(name)) return printable(Number(name.slice(1)), end);
  if (/^#[xX][\dA-Fa-f]{2,4}$/.test(name)) return printable(Number.parseInt(name.slice(2), 16), end);
  return undefined;
}

const printable = (code: number, end: number): Escaped | undefined =>
  code >= 0x20 && code < 0x7f ? { code, end } : undefined;

function toText(units: readonly number[]): string {
  let text = "";
  for (let at = 0; at < units.length; at += 1024) text += String.fromCharCode(...units.slice(at, at + 1024));
  return text;
}
