import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { ServerEvent } from "./event.js";
import { PendingText } from "./pending.js";

/** Tells the events of a text apart as it comes, each with the text that it came as. */
export class EventReader {
  readonly #pending: PendingText;
  /** Whether nothing of the current line has come. */
  #lineIsEmpty = true;
  /** The last line ended in a CR, to which an LF may belong. */
  #afterCr = false;
  /** Lines end in both. */
  #crLf = false;
  /** A CR that an LF is sure to follow. */
  #carry = "";
  #message: EventSourceMessage | undefined;
  readonly #parser = createParser({
    onEvent: (message) => {
      this.#message = message;
    },
  });

  constructor(longest?: number) {
    this.#pending = new PendingText(longest);
  }

  get rest(): string {
    return this.#pending.text;
  }

  get between(): boolean {
    return this.#pending.length === 0 && this.#carry === "";
  }

  /**
   * The events that are whole now. One that is cut off by the end of the body is none.
   *
   * @throws FetchError `ERR_FETCH_EVENT_TOO_LONG`
   */
  feed(more: string): ServerEvent[] {
    if (more === "") return [];
    const events: ServerEvent[] = [];
    let text = this.#carry + more;
    this.#carry = this.#crLf && text.endsWith("\r") ? "\r" : "";
    if (this.#carry !== "") text = text.slice(0, -1);
    const hasCr = text.includes("\r");
    let start = 0;
    let line = 0;
    if (this.#afterCr && text.startsWith("\n")) {
      this.#crLf = true;
      line = 1;
    }
    if (text !== "") this.#afterCr = false;
    for (;;) {
      const end = lineEnd(text, line, hasCr);
      if (end < 0) break;
      const blank = this.#lineIsEmpty && end === line;
      if (text.startsWith("\r\n", end)) this.#crLf = true;
      line = end + (text.startsWith("\r\n", end) ? 2 : 1);
      this.#afterCr = line === text.length && text.endsWith("\r");
      this.#lineIsEmpty = true;
      if (!blank) continue;
      events.push(this.#event(text.slice(start, line)));
      start = line;
    }
    if (line < text.length) this.#lineIsEmpty = false;
    this.#pending.add(text.slice(start));
    return events;
  }

  #event(end: string): ServerEvent {
    const source = this.#pending.take(end);
    this.#message = undefined;
    this.#parser.feed(source.includes("\r") ? source.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : source);
    const { event, id, data = "" }: Partial<EventSourceMessage> = this.#message ?? {};
    return { event, id, data, source };
  }
}

/** The end of the next line; -1 where it has not come. */
function lineEnd(text: string, from: number, hasCr: boolean): number {
  const lf = text.indexOf("\n", from);
  if (!hasCr) return lf;
  const cr = text.indexOf("\r", from);
  return cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
}
