import { type Brackets, bracketsOf, firstUnits } from "./brackets.js";
import { open, type TokenForm } from "./form.js";
import type { TokenId } from "./vault.js";

/** A token in a string, including its brackets if both exist. */
export interface Token {
  readonly id: TokenId;
  readonly end: number;
  /** Encodes a value for its position. */
  encode(value: string): string;
}

/** Finds tokens in what models write: in any case, quoted in any way, with or without their brackets. */
export class TokenReader {
  readonly #form: TokenForm;
  /** The units of ASCII: for each, whether a token may begin with it. */
  readonly #first: readonly boolean[];

  constructor(form: TokenForm) {
    const letters = form.labels.map((label) => label.charAt(0));
    const first = new Set([
      ...firstUnits,
      ...letters.map(codeOf),
      ...letters.map((letter) => codeOf(letter.toLowerCase())),
    ]);
    this.#form = form;
    this.#first = Array.from({ length: 128 }, (_, code) => first.has(code));
  }

  /** Returns the next index from `at` on at which a token may begin, or the length of the text if it is absent. */
  next(text: string, at: number): number {
    let index = at;
    while (index < text.length && this.#first[text.charCodeAt(index)] !== true) index++;
    return index;
  }

  /** Reads the token that begins at `start`. Returns `open` if more text might complete a token. */
  read(text: string, start: number, ended: boolean): Token | typeof open | undefined {
    for (const brackets of bracketsOf(text.charCodeAt(start))) {
      const token = this.#within(brackets, text, start, ended);
      if (token !== undefined) return token;
    }
    const core = this.#form.core(text, start, ended);
    return core === undefined || core === open ? core : { ...core, encode: (value) => value };
  }

  #within({ opening, closing, encode }: Brackets, text: string, start: number, ended: boolean) {
    const opened = follows(opening, text, start);
    if (opened !== true) return opened === open && !ended ? open : undefined;
    const core = this.#form.core(text, start + opening.length, ended);
    if (core === undefined || core === open) return core;
    const closed = follows(closing, text, core.end);
    if (closed !== true) return closed === open && !ended ? open : undefined;
    return { id: core.id, end: core.end + closing.length, encode };
  }
}

/** Tests if `expected` follows at `at`, ignoring case. Returns `open` if the text ends inside it. */
function follows(expected: string, text: string, at: number): boolean | typeof open {
  const found = text.slice(at, at + expected.length).toLowerCase();
  if (found === expected) return true;
  return at + found.length === text.length && expected.startsWith(found) ? open : false;
}

const codeOf = (letter: string): number => letter.charCodeAt(0);
