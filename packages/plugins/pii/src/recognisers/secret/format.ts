import { isWord, unitAt } from "../../scan/characters.js";
import { isPlaceholder } from "./placeholders.js";

const underscore = 95;
const hyphen = 45;

/** Scores the text after a prefix as the rest of a token, 0 to 1. */
type Check = (rest: string) => number;

/**
 * One published format: the prefixes of the provider, separated by spaces; a pattern of the rest; and a check, if the
 * form alone is not certain. The pattern begins directly after the prefix and contains no character at which a text can
 * be cut. It is no token if its last class or a word would continue.
 */
type Format = readonly [prefixes: string, rest: RegExp, check?: Check];

/** Formats by the provider that issues the tokens. */
export type Formats = Readonly<Record<string, readonly Format[]>>;

/** The end of a token, and its score: 0 if it only shows the form. */
export interface Token {
  readonly end: number;
  readonly score: number;
}

/**
 * Returns a pattern that matches only at its `lastIndex`, and only if neither the run nor stars or dots continue after
 * it.
 */
export function anchored({ source, flags }: RegExp): RegExp {
  const last = source.match(/\[[^[\]]*\](?!.*\[)/)?.[0];
  return new RegExp(`(?:${source})(?!${last === undefined ? "" : `${last}(?<!\\.)|`}[\\w*]|\\.{3})`, `${flags}y`);
}

interface Entry {
  readonly prefix: string;
  readonly rest: RegExp;
  readonly check: Check | undefined;
  /** The minimum number of letters, digits, underscores and hyphens that follow the prefix. */
  readonly least: number;
}

/** A pattern that begins with a number of letters, digits, underscores and hyphens. */
const plain = /^\[(?:\\[dw]|[A-Za-z\d]-[A-Za-z\d]|-)+\]\{(\d+)/;
const leastOf = ({ source }: RegExp): number => (source.includes("|") ? 0 : Number(plain.exec(source)?.[1] ?? 0));

/** Finds the format of a token by its first two characters. */
export class FormatIndex {
  /** The place in `#entries` of the first two units, ASCII; 0: no format begins so. */
  readonly #places = new Uint16Array(128 * 128);
  readonly #entries: Entry[][] = [[]];

  constructor(tables: readonly Formats[]) {
    for (const [prefixes, rest, check] of tables.flatMap((table) => Object.values(table).flat())) {
      const pattern = anchored(rest);
      const least = leastOf(rest);
      for (const prefix of prefixes.split(" ")) this.#add({ prefix, rest: pattern, check, least });
    }
    // The longest prefix is the most specific.
    for (const entries of this.#entries) entries.sort((a, b) => b.prefix.length - a.prefix.length);
  }

  #add(entry: Entry): void {
    const key = keyAt(entry.prefix, 0);
    if (this.#places[key] === 0) this.#places[key] = this.#entries.push([]) - 1;
    this.#entries[this.#places[key] ?? 0]?.push(entry);
  }

  /**
   * Returns true if the text at `at` has a format, or, if the text is `open`, has its prefix followed by a word of
   * sufficient length.
   */
  mayBegin(text: string, at: number, open: boolean): boolean {
    const place = this.#places[keyAt(text, at)];
    if (place === 0 || place === undefined) return false;
    const third = unitAt(text, at + 2);
    for (const { prefix, least, rest } of this.#entries[place] ?? []) {
      if (prefix.length > 2 && prefix.charCodeAt(2) !== third) continue;
      const from = at + prefix.length;
      if (!text.startsWith(prefix, at) || !isPlain(text, from, least)) continue;
      rest.lastIndex = from;
      if (open || rest.test(text)) return true;
    }
    return false;
  }

  /** The longest token that begins at `at`, and the prefix that names its provider. */
  token(text: string, at: number): (Token & { readonly prefix: string }) | undefined {
    const place = this.#places[keyAt(text, at)];
    if (place === 0 || place === undefined) return undefined;
    let longest: (Token & { readonly prefix: string }) | undefined;
    for (const { prefix, rest, check } of this.#entries[place] ?? []) {
      if (!text.startsWith(prefix, at)) continue;
      const from = at + prefix.length;
      rest.lastIndex = from;
      if (!rest.test(text)) continue;
      const end = withoutStop(text, rest.lastIndex);
      const body = text.slice(from, end);
      const score = end > (longest?.end ?? 0) ? (check?.(body) ?? 1) : 0;
      if (score > 0) longest = { prefix, end, score: isPlaceholder(body) ? 0 : score };
    }
    return longest;
  }
}

function isPlain(text: string, from: number, length: number): boolean {
  if (from + length > text.length) return false;
  for (let at = from; at < from + length; at++) {
    const code = text.charCodeAt(at);
    if (!isWord(code) && code !== underscore && code !== hyphen) return false;
  }
  return true;
}

/** A full stop after a token ends its sentence. */
function withoutStop(text: string, end: number): number {
  let stop = end;
  while (text.charAt(stop - 1) === ".") stop--;
  return stop;
}

/** Returns the slot of two units, or -1 if they are not ASCII. */
function keyAt(text: string, at: number): number {
  const first = unitAt(text, at);
  const second = unitAt(text, at + 1);
  return first < 128 && second < 128 ? first * 128 + second : -1;
}
