import { isSpace } from "./units.js";

const newline = 10;
const paren = { open: 40, close: 41 };
const colon = 58;
const angle = { open: 60, close: 62 };
const backslash = 92;
const bracket = 93;

/**
 * Tracks if the text read so far ends inside a Markdown target (of a link or an image): `[text](target "title")`, or
 * `[name]: target`. A target ends with its parenthesis, a definition with white space, both with an empty line.
 */
export class MarkdownTarget {
  #kind: "link" | "definition" | undefined;
  /** The number of open parentheses, including the target's. */
  #depth = 0;
  /** True for a target in `<…>`, in which parentheses have no meaning. */
  #angled = false;
  #begun = false;
  #escaped = false;
  /** Whether nothing but white space came since the last line break. */
  #emptyLine = false;

  constructor(from?: MarkdownTarget) {
    if (from === undefined) return;
    this.#kind = from.#kind;
    this.#depth = from.#depth;
    this.#angled = from.#angled;
    this.#begun = from.#begun;
    this.#escaped = from.#escaped;
    this.#emptyLine = from.#emptyLine;
  }

  get inside(): boolean {
    return this.#kind !== undefined;
  }

  /** Reads the unit at `at`. The text before it must have been read. */
  read(text: string, at: number): void {
    const code = text.charCodeAt(at);
    if (this.#kind !== undefined) this.#inTarget(code);
    else if ((code === paren.open || code === colon) && text.charCodeAt(at - 1) === bracket) {
      this.#kind = code === colon ? "definition" : "link";
      this.#depth = 1;
      this.#angled = this.#begun = this.#escaped = this.#emptyLine = false;
    }
  }

  #inTarget(code: number): void {
    const escaped = this.#escaped;
    this.#escaped = false;
    if (isSpace(code)) this.#space(code);
    else {
      this.#emptyLine = false;
      if (!escaped) this.#mark(code);
      this.#begun = true;
    }
  }

  #space(code: number): void {
    if (code === newline) {
      if (this.#emptyLine) this.#kind = undefined;
      this.#emptyLine = true;
      this.#angled = false;
    }
    if (this.#kind === "definition" && this.#begun && !this.#angled) this.#kind = undefined;
  }

  #mark(code: number): void {
    if (code === backslash) this.#escaped = true;
    else if (code === angle.open && !this.#begun) this.#angled = true;
    else if (code === angle.close) this.#angled = false;
    else if (this.#kind === "link" && !this.#angled) {
      if (code === paren.open) this.#depth++;
      else if (code === paren.close && --this.#depth === 0) this.#kind = undefined;
    }
  }
}
