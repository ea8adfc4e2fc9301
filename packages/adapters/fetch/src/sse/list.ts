import { FetchError } from "../errors.js";
import type { ServerEvent } from "./event.js";

/** In UTF-16 units. */
const longestItem = 64 * 1024 * 1024;

/** Tells the items of a JSON list apart as it comes, each with the text that it came as: that of what is between them too. */
export class ListReader {
  readonly #longest: number;
  #begun: string[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #over = false;

  constructor(longest = longestItem) {
    this.#longest = longest;
  }

  /** @throws FetchError `ERR_FETCH_EVENT_TOO_LONG` */
  feed(text: string): ServerEvent[] {
    const items: ServerEvent[] = [];
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      if (!this.#ends(text.charCodeAt(index))) continue;
      this.#keep(text.slice(start, index + 1));
      start = index + 1;
      const source = this.#begun.join("");
      this.#begun = [];
      this.#length = 0;
      const from = source.indexOf("{");
      this.#over = this.#depth === 0;
      items.push(this.#over ? { data: "", source } : { data: source.slice(from), source });
    }
    const rest = text.slice(start);
    if (this.#over && rest.trim() === "") {
      if (rest !== "") items.push({ data: "", source: rest });
    } else this.#keep(rest);
    return items;
  }

  /** Whether an item, or the list, ends with this character. */
  #ends(code: number): boolean {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inString = false;
      return false;
    }
    if (code === quote) this.#inString = true;
    else if (code === openBrace || code === openBracket) this.#depth++;
    else if (code === closeBrace || code === closeBracket)
      return --this.#depth <= 1 && this.#depth >= 0 && this.#isEnd(code);
    return false;
  }

  #isEnd(code: number): boolean {
    return this.#depth === 1 ? code === closeBrace : code === closeBracket;
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#begun.push(text);
    this.#length += text.length;
    if (this.#length <= this.#longest) return;
    throw new FetchError(
      "ERR_FETCH_EVENT_TOO_LONG",
      `An item of the answer is longer than ${this.#longest} characters.`,
    );
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** Writes items of a JSON list, with what belongs between them. */
export class ListWriter {
  #items = 0;
  /** What came behind the last item: it goes out behind what is written. */
  #rest = "";

  write({ data, source }: ServerEvent): string {
    if (data === "") {
      this.#rest += source ?? "";
      return "";
    }
    const first = this.#items++ === 0;
    if (source?.trimStart().startsWith(first ? "[" : ",")) return source;
    return (first ? "[" : ",\n") + data;
  }

  /** The end of the list. One that was cut off stays so, unless a layer made it. */
  end(own: boolean): string {
    const rest = own ? "]" : this.#rest;
    return this.#items === 0 && rest !== "" && !rest.trimStart().startsWith("[") ? `[${rest}` : rest;
  }
}
