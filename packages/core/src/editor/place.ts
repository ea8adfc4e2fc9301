import type { Delta } from "../messages/delta.js";

/** A JSON object of a provider that may be changed. */
export type Draft = Record<string, unknown>;

/** The kind of string that a place holds. `arguments` is the JSON text of a tool call. */
export type PlaceKind = "text" | "reasoning" | "arguments";

/**
 * Strings of an answer that a client joins: the text of one choice, the arguments of one call.
 *
 * It records the provider's text and the released text, to detect text that is held back.
 */
export class Place {
  /** The text that came from the provider. */
  came = "";
  /** The text that was put into events. */
  sent = "";
  /** The text that the stages released and that no event carries yet. */
  ready = "";
  /** The body of the last event with a string for this place that was sent. */
  body: Draft = {};
  /** The body of the last event with a string for this place that was read. */
  latest: Draft | undefined;
  /** True if the provider has ended the place. */
  ended = false;
  /** True if the end has passed the stages. */
  closed = false;
  /** True if the event with the end was sent. */
  over = false;
  /** The surplus of one side: text that came and was not released, or the reverse. At least one is empty. */
  #due = "";
  #early = "";
  #differs = false;

  constructor(
    readonly at: string,
    readonly kind: PlaceKind,
  ) {}

  /** True if the stages have released exactly the text that came. */
  get even(): boolean {
    return !this.#differs && this.#due === "" && this.#early === "";
  }

  /** True if the stages may still release text for this place. */
  get holds(): boolean {
    return !this.closed && !this.even;
  }

  /** Adds text from the provider and returns its delta for the stages. */
  push(content: string): Delta {
    this.came += content;
    if (!this.#differs) this.#compare(this.#due + content, this.#early);
    const { at, kind } = this;
    return kind === "arguments"
      ? { type: "arguments", at, json: content, inPlace: true }
      : { type: "part", at, part: { type: kind, content }, inPlace: true };
  }

  /** Adds text that the stages released. */
  release(content: string): void {
    this.ready += content;
    if (!this.#differs) this.#compare(this.#due, this.#early + content);
  }

  #compare(due: string, early: string): void {
    const length = Math.min(due.length, early.length);
    this.#differs = due.slice(0, length) !== early.slice(0, length);
    this.#due = this.#differs ? "" : due.slice(length);
    this.#early = this.#differs ? "" : early.slice(length);
  }
}
