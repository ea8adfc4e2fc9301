import { FetchError } from "../errors.js";

/** The maximum length of an event, in UTF-16 units. An event may contain an image in base64. */
const longestEvent = 64 * 1024 * 1024;

/** The text of an incomplete event, with a maximum length. */
export class PendingText {
  readonly #longest: number;
  #pieces: string[] = [];
  #length = 0;

  constructor(longest = longestEvent) {
    this.#longest = longest;
  }

  get length(): number {
    return this.#length;
  }

  /** The received text. */
  get text(): string {
    return this.#pieces.join("");
  }

  /** @throws FetchError `ERR_FETCH_EVENT_TOO_LONG` */
  add(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length <= this.#longest) return;
    throw new FetchError(
      "ERR_FETCH_EVENT_TOO_LONG",
      `An event of the answer is longer than ${this.#longest} characters.`,
    );
  }

  /** Returns all the text with this end, and clears it for the next event. */
  take(end: string): string {
    this.add(end);
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}
