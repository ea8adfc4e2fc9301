import { expectText } from "../errors.js";
import { bracketsOf } from "./brackets.js";
import { formatToken, open } from "./form.js";
import { isBreak } from "./links/link.js";
import { LinkContext } from "./links/link-context.js";
import type { Token, TokenReader } from "./token-reader.js";
import type { TokenId } from "./vault.js";

/** The maximum length of the word after a token that is examined. Longer than any host name. */
const longestGap = 300;

/** Returns the value of a token, or `undefined` if it is absent. */
export type FindValue = (id: TokenId) => string | undefined;

/**
 * Restores values in a text read in chunks. The joined output does not depend on how the text was split, and no part of
 * a token is emitted before it is decided. Tokens without a value, and tokens inside links, stay.
 */
export class RestoreStream {
  /** The context that the text given out so far has led to. */
  readonly context: LinkContext;
  readonly #reader: TokenReader;
  readonly #find: FindValue;
  /** The text that may become a token. */
  #held = "";

  /** @param context the context at the start of the text */
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
    let emitted = 0;
    const emit = (to: number): void => {
      const plain = text.slice(emitted, to);
      this.context.read(plain);
      out += plain;
    };
    let at = this.#reader.next(text, 0);
    while (at < text.length) {
      const token = this.#reader.read(text, at, ended);
      if (token === open) break;
      // A token without a value is ordinary text. The next token may begin within it.
      const value = token && this.#find(token.id);
      if (token === undefined || value === undefined) at++;
      else {
        const after = this.#wordAfter(text, token.end, ended);
        if (after === open) break;
        emit(at);
        out += this.#restored(token, value, text.slice(at, token.end), after);
        emitted = at = token.end;
      }
      at = this.#reader.next(text, at);
    }
    emit(at);
    this.#held = text.slice(at);
    return out;
  }

  /**
   * Returns the rest of the word that contains a token, with other tokens as one letter, or `open` if it may continue.
   */
  #wordAfter(text: string, from: number, ended: boolean): string | typeof open {
    let word = "";
    for (let at = from; at < text.length; ) {
      if (at - from > longestGap) return word;
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

/** Restores a complete string. */
export function restoreText(text: string, reader: TokenReader, find: FindValue): string {
  const stream = new RestoreStream(reader, find);
  const head = stream.push(text);
  return head + stream.end();
}

/** Returns the tokens that are not restored because they are in links, without their brackets. */
export function tokensInLinks(texts: readonly string[], reader: TokenReader): ReadonlySet<string> {
  const inLinks = new Set<string>();
  for (const text of texts) {
    const remaining = restoreText(text, reader, () => "");
    for (let at = reader.next(remaining, 0); at < remaining.length; at = reader.next(remaining, at + 1)) {
      const token = reader.read(remaining, at, true);
      if (token !== undefined && token !== open) inLinks.add(formatToken(token.id).slice(1, -1));
    }
  }
  return inLinks;
}
