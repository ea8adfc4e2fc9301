import { before, longestField } from "../field.js";
import { blanks, encode, escapes, literal, structure } from "./json-text.js";
import type { SchemaPath } from "./schema-path.js";

/** The maximum length of a held bare token: a number that might be a card. A longer one does not occur in real JSON. */
const longestBare = 1024;
/** The stream that the text of a string goes through. */
export interface StringStream {
  push(chunk: string): string;
  end(): string;
  /** The text that was held back, after a failure. */
  release(): string;
  /** The amount of text that has come and is held back, in UTF-16 units. */
  readonly undecided: number;
}

type State = "between" | "string" | "bare" | "text";

/**
 * Treats JSON text in chunks, such as the arguments of a tool call. The content of each string is decoded, treated as a
 * separate text and encoded again, so that valid JSON stays valid. A number that a rule matches becomes a string if the
 * schema allows one. After the first token that is not JSON, the rest is treated as plain text. A number followed by
 * another word or a colon is not JSON, as in `4111 1111` or `00:1a`.
 */
export class JsonStream {
  readonly #open: (before: string | undefined) => StringStream;
  readonly #path: SchemaPath | undefined;
  /** The name of the field whose value comes next, and the last string: it may be one. */
  #field: string | undefined;
  #last = "";
  /** True if an object or an array has begun. A string outside of both is free text. */
  #inside = false;
  /** The number of objects and arrays that are open. */
  #depth = 0;
  /** True if only blanks followed a string. Only there a colon is JSON. */
  #isName = false;
  #state: State = "between";
  #stream: StringStream | undefined;
  /** The begun escape, or the begun bare token. */
  #held = "";
  /** The blanks after a bare token. The next character decides if it was one. */
  #blank = "";
  /** The amount that has come since the string or bare token began, in UTF-16 units. */
  #since = 0;
  #out = "";
  /** The unread rest of the chunk, kept in case the stream fails. */
  #rest = "";

  /**
   * @param open Begins a string. Receives the text before it: the name of its field, if the name describes the value.
   * @param path Set if there is a schema that the output should match as far as possible.
   */
  constructor(open: (before: string | undefined) => StringStream, path?: SchemaPath) {
    this.#open = open;
    this.#path = path;
  }

  /**
   * The amount of text that has come and is held back, in UTF-16 units: of a string that is held back in part, all of
   * it.
   */
  get undecided(): number {
    const held = this.#stream?.undecided ?? 0;
    if (this.#state === "text") return held;
    return this.#state === "bare" || this.#held !== "" || held > 0 ? this.#since : 0;
  }

  push(chunk: string): string {
    this.#out = "";
    for (let at = 0; at < chunk.length; ) {
      const next = this.#step(chunk, at);
      this.#since = this.#state === "between" ? 0 : this.#since + next - at;
      at = next;
    }
    return this.#out;
  }

  end(): string {
    this.#out = "";
    this.#rest = "";
    this.#since = 0;
    if (this.#state === "bare") this.#closeBare();
    if (this.#state === "string") {
      if (this.#held !== "") this.#write(this.#held);
      this.#out += encode(this.#stream?.end() ?? "");
    } else if (this.#state === "text") this.#out += this.#stream?.end() ?? "";
    return this.#out;
  }

  /**
   * Returns the remaining text after a failure, for callers that pass it unredacted: the output of the failed step and
   * the rest as received.
   */
  release(): string {
    const raw = this.#stream?.release() ?? "";
    return this.#out + (this.#state === "string" ? encode(raw) : raw) + this.#held + this.#blank + this.#rest;
  }

  #step(chunk: string, at: number): number {
    switch (this.#state) {
      case "string":
        return this.#inString(chunk, at);
      case "bare":
        return this.#inBare(chunk, at);
      case "text":
        this.#rest = "";
        this.#out += this.#stream?.push(chunk.slice(at)) ?? "";
        return chunk.length;
      case "between":
        return this.#between(chunk, at);
    }
  }

  #between(chunk: string, at: number): number {
    const character = chunk[at] ?? "";
    if (character === ":") {
      if (!this.#isName) return this.#plain("", at);
      this.#field = this.#last;
    } else if ("{[,".includes(character)) {
      this.#field = undefined;
      this.#inside = true;
    }
    if ("{[".includes(character)) this.#depth++;
    else if ("}]".includes(character)) this.#depth = Math.max(0, this.#depth - 1);
    if (!blanks.has(character)) this.#isName = false;
    this.#path?.mark(character, this.#last);
    if (character === '"') {
      this.#state = "string";
      this.#stream = this.#open(this.#inside ? before(this.#field) : undefined);
      this.#last = "";
    } else if (!structure.has(character)) {
      this.#state = "bare";
      return at;
    }
    this.#out += character;
    return at + 1;
  }

  #inString(chunk: string, at: number): number {
    if (this.#held !== "") {
      this.#held += chunk[at] ?? "";
      this.#rest = chunk.slice(at + 1);
      this.#unescape();
      return at + 1;
    }
    let end = at;
    while (end < chunk.length && chunk[end] !== '"' && chunk[end] !== "\\") end++;
    this.#rest = chunk.slice(end);
    if (end > at) this.#write(chunk.slice(at, end));
    if (chunk[end] === "\\") this.#held = "\\";
    else if (chunk[end] === '"') {
      this.#out += `${encode(this.#stream?.end() ?? "")}"`;
      this.#state = "between";
      this.#isName = true;
    }
    return end + 1;
  }

  /** Replaces a complete escape by its character. An escape that JSON does not define is kept as written. */
  #unescape(): void {
    const letter = this.#held[1] ?? "";
    const digits = this.#held.slice(2);
    if (letter === "u" && digits.length < 4 && /^[\dA-Fa-f]*$/.test(digits)) return;
    const held = this.#held;
    this.#held = "";
    if (letter !== "u") this.#write(escapes[letter] ?? held);
    else if (/^[\dA-Fa-f]{4}$/.test(digits)) this.#write(String.fromCharCode(Number.parseInt(digits, 16)));
    else this.#broken(held);
  }

  /** `\u00"`: what ended the escape may also end the string. */
  #broken(held: string): void {
    this.#write(held.slice(0, -1));
    this.#inString(held, held.length - 1);
  }

  #write(text: string): void {
    if (this.#last.length < longestField) this.#last = (this.#last + text).slice(0, longestField);
    this.#out += encode(this.#stream?.push(text) ?? "");
  }

  #inBare(chunk: string, at: number): number {
    const room = at + longestBare + 1 - this.#held.length - this.#blank.length;
    const last = Math.min(chunk.length, room);
    let end = at;
    if (this.#blank === "") {
      while (end < last && chunk[end] !== '"' && !structure.has(chunk[end] ?? "")) end++;
      this.#held += chunk.slice(at, end);
    }
    const token = end;
    while (end < last && blanks.has(chunk[end] ?? "")) end++;
    this.#blank += chunk.slice(token, end);
    this.#rest = chunk.slice(end);
    if (end === room) this.#closeBare();
    else if (end < chunk.length) this.#closeBare(chunk[end]);
    return end;
  }

  /** @param next The character after the token and its blanks. `undefined` at the end and if the limit is reached. */
  #closeBare(next?: string): void {
    const token = this.#held;
    const follows = next === undefined || (this.#depth > 0 && ",]}".includes(next));
    if (!follows || token.length > longestBare || !literal.test(token)) {
      const text = token + this.#blank;
      this.#held = "";
      this.#blank = "";
      this.#plain(text, 0);
      return;
    }
    const stream = this.#open(before(this.#field) ?? "");
    this.#stream = stream;
    this.#held = "";
    const head = stream.push(token);
    const treated = head + stream.end();
    this.#out += (treated === token ? token : (this.#path?.numeral ?? JSON.stringify(treated))) + this.#blank;
    this.#blank = "";
    this.#state = "between";
  }

  /** Begins plain text. Text outside of objects and arrays is free text. */
  #plain(text: string, at: number): number {
    const stream = this.#open(this.#inside ? (before(this.#field) ?? "") : undefined);
    this.#stream = stream;
    this.#state = "text";
    this.#out += stream.push(text);
    return at;
  }
}
