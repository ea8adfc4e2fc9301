import { isSpace } from "./units.js";

const slash = 47;
const dot = 46;
const colon = 58;
const lessThan = 60;

/** What begins a URL beside `//`. Some readers do without the slashes. */
const beginnings = ["www.", "http:", "https:", "mailto:"];

/** The longest beginning, in UTF-16 units. */
export const lookBack = 7;

/** Whether a text's end stands inside a URL: from `//`, `www.`, `http:` or `mailto:` up to white space or a tag. */
export class Url {
  #inside: boolean;

  constructor(from?: Url) {
    this.#inside = from?.inside ?? false;
  }

  get inside(): boolean {
    return this.#inside;
  }

  /** Reads the unit at `at`; what stands before it in the text has been read. */
  read(text: string, at: number): void {
    const code = text.charCodeAt(at);
    if (this.#inside) this.#inside = !isSpace(code) && code !== lessThan;
    else if (code === slash) this.#inside = text.charCodeAt(at - 1) === slash;
    else if (code === dot || code === colon) {
      const before = text.slice(Math.max(0, at + 1 - lookBack), at + 1).toLowerCase();
      this.#inside = beginnings.some((beginning) => before.endsWith(beginning));
    }
  }
}
