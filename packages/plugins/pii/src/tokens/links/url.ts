import { isSpace } from "./units.js";

const slash = 47;
const dot = 46;
const colon = 58;
const lessThan = 60;

/** The beginnings of a URL beside `//`. Some readers do without the slashes. */
const beginnings = ["www.", "http:", "https:", "mailto:"];
/** The beginnings that count where they are words of their own: `news:` is none. */
const schemes = /(?:^|[^0-9a-z_-])(?:ftps?|sftp|wss?|data):$/;

/** The longest beginning, in UTF-16 units, and what stands before it. */
export const lookBack = 8;

/** The URL that a text's end stands inside, if any: from `//`, `www.`, or a scheme such as `http:` or `data:`, up to white space or a tag. */
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
      this.#inside = beginnings.some((beginning) => before.endsWith(beginning)) || schemes.test(before);
    }
  }
}
