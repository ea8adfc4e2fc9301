import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { ServerEvent } from "./event.js";
import { PendingText } from "./pending.js";

/** Splits text into events as it arrives. Each event keeps its original text. */
export class EventReader {
  readonly #pending: PendingText;
  /** True if no character of the current line has arrived. */
  #lineIsEmpty = true;
  /** True if the last line ended with a CR. An LF may follow. */
  #afterCr = false;
  /** True if lines end with CR LF. */
  #crLf = false;
  /** A CR at the end of the text, if lines end with CR LF. */
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
   * Returns the events that are complete now. An event that the end of the body cuts off is never returned.
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

/** Returns the index of the next line end, or -1 if it has not arrived. */
function lineEnd(text: string, from: number, hasCr: boolean): number {
  const lf = text.indexOf("\n", from);
  if (!hasCr) return lf;
  const cr = text.indexOf("\r", from);
  return cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
}
