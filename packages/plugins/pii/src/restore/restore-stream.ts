import type { TokenId } from "../vault/vault.js";
import { open } from "./form.js";
import { LinkContext } from "./link-context.js";
import type { Token, TokenReader } from "./token-reader.js";

/** The value behind a token, where there is one. */
export type FindValue = (id: TokenId) => string | undefined;

/**
 * Puts values back into a text that comes in pieces. What `push` and `end` give, joined, does not depend on how the text
 * was cut; no part of a token is given out before it is decided on. Tokens without a value, and those inside links, stay.
 */
export class RestoreStream {
  /** Where the text given out so far has led to. */
  readonly context: LinkContext;
  readonly #reader: TokenReader;
  readonly #find: FindValue;
  /** What may become a token. */
  #held = "";

  /** @param context the text goes on where this one ends. */
  constructor(reader: TokenReader, find: FindValue, context?: LinkContext) {
    this.#reader = reader;
    this.#find = find;
    this.context = new LinkContext(context);
  }

  /** How much of what came is held back, in UTF-16 units. */
  get undecided(): number {
    return this.#held.length;
  }

  push(chunk: string): string {
    return this.#advance(this.#held + chunk, false);
  }

  end(): string {
    return this.#advance(this.#held, true);
  }

  /** What was not decided on. */
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
        give(at);
        out += this.#restored(token, value, text.slice(at, token.end));
        given = at = token.end;
      }
      at = this.#reader.next(text, at);
    }
    give(at);
    this.#held = text.slice(at);
    return out;
  }

  #restored(token: Token, value: string, written: string): string {
    if (this.context.inside) {
      this.context.skip();
      return written;
    }
    const restored = token.encode(value);
    this.context.read(restored);
    return restored;
  }
}

/** The same for a text that is there whole. */
export function restoreText(text: string, reader: TokenReader, find: FindValue): string {
  const stream = new RestoreStream(reader, find);
  const head = stream.push(text);
  return head + stream.end();
}
