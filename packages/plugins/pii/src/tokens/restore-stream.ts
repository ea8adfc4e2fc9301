import { expectText } from "../errors.js";
import { bracketsOf } from "./brackets.js";
import { formatToken, open } from "./form.js";
import { isBreak } from "./links/link.js";
import { LinkContext } from "./links/link-context.js";
import type { Token, TokenReader } from "./token-reader.js";
import type { TokenId } from "./vault.js";

/** The length to which the word behind a token is followed: further than the longest host goes. */
const longestBehind = 300;

/** The value behind a token, where there is one. */
export type FindValue = (id: TokenId) => string | undefined;

/**
 * The stream that restores values: puts them back into a text that comes in pieces. What `push` and `end` give, joined, does not depend on how the text
 * was cut; no part of a token is given out before it is decided on. Tokens without a value, and those inside links, stay.
 */
export class RestoreStream {
  /** The context that the text given out so far has led to. */
  readonly context: LinkContext;
  readonly #reader: TokenReader;
  readonly #find: FindValue;
  /** The text that may become a token. */
  #held = "";

  /** @param context the text goes on where this one ends. */
  constructor(reader: TokenReader, find: FindValue, context?: LinkContext) {
    this.#reader = reader;
    this.#find = find;
    this.context = new LinkContext(context);
  }

  /** The amount of text that has come and is held back, in UTF-16 units. */
  get undecided(): number {
    return this.#held.length;
  }

  push(chunk: string): string {
    return this.#advance(this.#held + expectText(chunk, "push()"), false);
  }

  end(): string {
    return this.#advance(this.#held, true);
  }

  /** The text that was not decided on. */
  release(): string {
    return this.#held;
  }

  #advance(text: string, ended: boolean): string {
    let out = "";
    let given = 0;
    const give = (to: number): void => {
      const plain = text.slice(given, to);
      this.context.read(plain);
      out += plain;
    };
    let at = this.#reader.next(text, 0);
    while (at < text.length) {
      const token = this.#reader.read(text, at, ended);
      if (token === open) break;
      // What stands for nothing is text like any other: the next token may begin within it.
      const value = token && this.#find(token.id);
      if (token === undefined || value === undefined) at++;
      else {
        const after = this.#wordBehind(text, token.end, ended);
        if (after === open) break;
        give(at);
        out += this.#restored(token, value, text.slice(at, token.end), after);
        given = at = token.end;
      }
      at = this.#reader.next(text, at);
    }
    give(at);
    this.#held = text.slice(at);
    return out;
  }

  /** The rest of the word that a token stands in, where other tokens are one letter; `open` where it may go on. */
  #wordBehind(text: string, from: number, ended: boolean): string | typeof open {
    let word = "";
    for (let at = from; at < text.length; ) {
      if (at - from > longestBehind) return word;
      if (isBreak(text.charCodeAt(at)) || bracketsOf(text.charCodeAt(at)).length > 0) {
        const token = this.#reader.read(text, at, ended);
        if (token === open) return open;
        if (token !== undefined) {
          word += "x";
          at = token.end;
          continue;
        }
        if (isBreak(text.charCodeAt(at))) return word;
      }
      word += text.charAt(at++);
    }
    return ended ? word : open;
  }

  #restored(token: Token, value: string, written: string, after: string): string {
    if (this.context.inside || this.context.joins(after)) {
      this.context.skip();
      return written;
    }
    const restored = token.encode(value);
    this.context.read(restored);
    return restored;
  }
}

/** Restores a text that is there whole. */
export function restoreText(text: string, reader: TokenReader, find: FindValue): string {
  const stream = new RestoreStream(reader, find);
  const head = stream.push(text);
  return head + stream.end();
}

/** Returns the tokens of some texts that stay when values are put back, since they are in links: without their brackets. */
export function tokensInLinks(texts: readonly string[], reader: TokenReader): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const text of texts) {
    const left = restoreText(text, reader, () => "");
    for (let at = reader.next(left, 0); at < left.length; at = reader.next(left, at + 1)) {
      const token = reader.read(left, at, true);
      if (token !== undefined && token !== open) kept.add(formatToken(token.id).slice(1, -1));
    }
  }
  return kept;
}
