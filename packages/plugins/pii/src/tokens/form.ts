import { tagLength, tagLetters } from "./tag.js";
import type { TokenId } from "./vault.js";

/** The label of foreign strings that look like tokens. They get a token themselves. */
export const lookAlikeLabel = "TEXT";

/** The label of a type in its tokens. */
export const labelOf = (type: string): string => type.toUpperCase();

/** The token itself: `<EMAIL_1_bcdfghjk>`. */
export const formatToken = ({ label, number, tag }: TokenId): string => `<${label}_${number}_${tag}>`;

/** The core of a token, between its brackets, found at some place. */
export interface Core {
  readonly id: TokenId;
  readonly end: number;
}

/** The result for incomplete input: more text could complete a token. */
export const open = Symbol("open");

const backslash = 92;
const underscore = 95;
const mostDigits = 7;
const mostBackslashes = 2;
const isTagUnit = Array.from({ length: 128 }, (_, code) =>
  tagLetters.includes(String.fromCharCode(code).toLowerCase()),
);

/** Reads tokens of these labels, in any case, also with the underscores escaped as Markdown has it. */
export class TokenForm {
  /** Longer ones first: `USER_EMAIL` before `USER`. */
  readonly labels: readonly string[];

  constructor(labels: readonly string[]) {
    this.labels = [...new Set([...labels, lookAlikeLabel])].sort((a, b) => b.length - a.length);
  }

  /**
   * The token whose label begins at `start`, without brackets.
   *
   * @param ended no more text comes: then nothing is `open`.
   */
  core(text: string, start: number, ended: boolean): Core | typeof open | undefined {
    for (const label of this.labels) {
      const core = coreOf(label, text, start);
      if (core === undefined || (core === open && ended)) continue;
      return core;
    }
    return undefined;
  }

  /** The token that is the whole text, without brackets. */
  parse(text: string): TokenId | undefined {
    const core = this.core(text, 0, true);
    return core !== undefined && core !== open && core.end === text.length ? core.id : undefined;
  }
}

/** The token of this label that begins at `start`, without brackets. */
export function coreOf(label: string, text: string, start: number): Core | typeof open | undefined {
  let at = start;
  for (let index = 0; index < label.length; index++) {
    const expected = label.charCodeAt(index);
    if (at >= text.length) return open;
    at = expected === underscore ? separator(text, at) : upper(text.charCodeAt(at)) === expected ? at + 1 : -1;
    if (at < 0) return undefined;
  }
  at = separator(text, at);
  if (at < 0) return undefined;
  const digits = at;
  while (at < text.length && at - digits < mostDigits && isDigit(text.charCodeAt(at))) at++;
  const number = text.slice(digits, at);
  if (at < text.length && (number === "" || number.startsWith("0"))) return undefined;
  at = separator(text, at);
  if (at < 0) return undefined;
  const tag = at;
  for (; at < tag + tagLength; at++) {
    if (at >= text.length) return open;
    if (isTagUnit[text.charCodeAt(at)] !== true) return undefined;
  }
  return { id: { label, number: Number(number), tag: text.slice(tag, at).toLowerCase() }, end: at };
}

/** Returns the start of the label before the separator whose `_` is at `at`, or -1. */
export function labelStart(label: string, text: string, at: number): number {
  let start = withoutBackslashes(text, at);
  for (let index = label.length - 1; index >= 0 && start >= 0; index--) {
    const expected = label.charCodeAt(index);
    if (upper(text.charCodeAt(start - 1)) !== expected) return -1;
    start = expected === underscore ? withoutBackslashes(text, start - 1) : start - 1;
  }
  return start;
}

function withoutBackslashes(text: string, end: number): number {
  let at = end;
  while (end - at < mostBackslashes && text.charCodeAt(at - 1) === backslash) at--;
  return at;
}

/** Returns the end of `_`, `\_` or `\\_`; the end of the string if the separator could follow there; otherwise -1. */
function separator(text: string, from: number): number {
  let at = from;
  while (at - from < mostBackslashes && text.charCodeAt(at) === backslash) at++;
  if (at >= text.length) return at;
  return text.charCodeAt(at) === underscore ? at + 1 : -1;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const upper = (code: number): number => (code >= 97 && code <= 122 ? code - 32 : code);
