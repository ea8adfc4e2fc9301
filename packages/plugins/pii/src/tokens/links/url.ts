import { isSpace } from "./units.js";

const slash = 47;
const dot = 46;
const colon = 58;
const lessThan = 60;

/** The beginnings of a URL besides `//`. Some readers accept them without slashes. */
const beginnings = ["www.", "http:", "https:", "mailto:"];
/** Beginnings that must be separate words: `news:` does not match. */
const schemes = /(?:^|[^0-9a-z_-])(?:ftps?|sftp|wss?|data):$/;

/** The length of the longest beginning and the unit before it, in UTF-16 units. */
export const lookBack = 8;

/**
 * Tracks if the text read so far ends inside a URL: from `//`, `www.`, or a scheme such as `http:` or `data:`, up to
 * white space or a tag.
 */
export class Url {
  #inside: boolean;

  constructor(from?: Url) {
    this.#inside = from?.inside ?? false;
  }

  get inside(): boolean {
    return this.#inside;
  }

  /** Reads the unit at `at`. The text before it must have been read. */
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
