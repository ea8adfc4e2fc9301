import type { ServerEvent } from "./event.js";
import { PendingText } from "./pending.js";

/** The end of an item, or of the list, as seen from one character. */
type End = "no" | "before" | "after";

/** Tells the items of a JSON list apart as it comes, each with the text that it came as: that of what is between them too. */
export class ListReader {
  /** Never: what stands between two items belongs to neither. */
  readonly between = false;
  readonly #pending: PendingText;
  /** The offset of the current item in what is pending; undefined between two. */
  #from: number | undefined;
  /** The body is no list, but one value. */
  #alone = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #over = false;

  constructor(longest?: number) {
    this.#pending = new PendingText(longest);
  }

  get rest(): string {
    return this.#pending.text;
  }

  /** @throws FetchError `ERR_FETCH_EVENT_TOO_LONG` */
  feed(text: string): ServerEvent[] {
    const items: ServerEvent[] = [];
    let start = 0;
    for (let index = 0; index < text.length && !this.#over; ) {
      const end = this.#step(text.charCodeAt(index), this.#pending.length + index - start);
      if (end !== "before") index++;
      if (end === "no") continue;
      items.push(this.#item(text.slice(start, index)));
      start = index;
    }
    const rest = text.slice(start);
    if (this.#over && rest.trim() === "") {
      if (rest !== "") items.push({ data: "", source: rest });
    } else this.#pending.add(rest);
    return items;
  }

  #item(end: string): ServerEvent {
    const source = this.#pending.take(end);
    const data = this.#from === undefined ? "" : source.slice(this.#from);
    this.#from = undefined;
    this.#over ||= this.#alone;
    return { data, source };
  }

  #step(code: number, at: number): End {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inString = false;
      return "no";
    }
    if (spaces.has(code)) return "no";
    if (this.#depth === 0) {
      this.#depth = 1;
      if (code === openBracket) return "no";
      this.#alone = true;
    }
    return this.#depth === 1 && (code === comma || code === closeBracket)
      ? this.#between(code)
      : this.#inside(code, at);
  }

  #between(code: number): End {
    if (this.#from !== undefined) return "before";
    if (code === comma) return "no";
    this.#over = true;
    return "after";
  }

  /** An object or a list ends with its last bracket, any other item before the comma behind it, or the list's end. */
  #inside(code: number, at: number): End {
    this.#from ??= at;
    if (code === quote) this.#inString = true;
    else if (code === openBrace || code === openBracket) this.#depth++;
    else if ((code === closeBrace || code === closeBracket) && this.#depth > 1 && --this.#depth === 1) return "after";
    return "no";
  }
}

const [quote, comma, backslash, openBrace, openBracket, closeBrace, closeBracket] = [34, 44, 92, 123, 91, 125, 93];
/** White space of JSON, and the byte order mark. */
const spaces: ReadonlySet<number> = new Set([9, 10, 13, 32, 0xfeff]);

/** Writes items of a JSON list, with what belongs between them. */
export class ListWriter {
  #items = 0;
  /** The text behind the last item: it goes out behind what is written. */
  #rest = "";

  write({ data, source }: ServerEvent): string {
    if (data === "") {
      this.#rest += source ?? "";
      return "";
    }
    const first = this.#items++ === 0;
    if (source?.trimStart().startsWith(",") === !first) return source;
    return (first ? "[" : ",\n") + data;
  }

  /** The end of the list. One that was cut off stays so, unless a layer made it. */
  end(own: boolean): string {
    const rest = own ? "]" : this.#rest;
    return this.#items === 0 && rest !== "" && !rest.trimStart().startsWith("[") ? `[${rest}` : rest;
  }
}
