import type { ServerEvent } from "./event.js";
import { PendingText } from "./pending.js";

/** The position of the end of an item or of the list, relative to a character. */
type End = "no" | "before" | "after";

/** Splits a JSON list into items as it arrives. Each item keeps its original text, including the text before it. */
export class ListReader {
  /** Always `false`, because the text between two items belongs to neither. */
  readonly between = false;
  readonly #pending: PendingText;
  /** The offset of the current item in the pending text. `undefined` between two items. */
  #from: number | undefined;
  /** True if the body is not a list but a single value. */
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

  /**
   * An object or a list ends with its last bracket. Any other item ends before the next comma or the end of the list.
   */
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

/** Writes the items of a JSON list and the separators between them. */
export class ListWriter {
  #items = 0;
  /** The text after the last item. It is written at the end. */
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

  /** Returns the end of the list. A list that was cut off stays incomplete, unless a layer made the answer. */
  end(fromLayer: boolean): string {
    const rest = fromLayer ? "]" : this.#rest;
    return this.#items === 0 && rest !== "" && !rest.trimStart().startsWith("[") ? `[${rest}` : rest;
  }
}
