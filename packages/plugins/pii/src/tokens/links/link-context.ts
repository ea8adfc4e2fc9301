import { HtmlTag } from "./html-tag.js";
import { isLink, lastWord } from "./link.js";
import { MarkdownTarget } from "./markdown-target.js";
import { lookBack, Url } from "./url.js";

/** The marks with which a URL, a target or a tag begins; where none of them is open, nothing else matters. */
const beginnings = new Set([..."/.:(<"].map((mark) => mark.charCodeAt(0)));
const matters = Array.from({ length: 128 }, (_, code) => beginnings.has(code));

/**
 * The context of a place in a text that is read piece by piece: whether its end stands inside a URL, the target of a Markdown link or
 * image, or the value of an HTML attribute. A program that shows the text may send what stands there away, unasked.
 * Where Markdown, HTML and the programs that make links of bare URLs differ, the widest reading counts.
 */
export class LinkContext {
  #url = new Url();
  #target = new MarkdownTarget();
  #tag = new HtmlTag();
  /** The units before the next piece that a beginning may reach back to. */
  #tail = "";
  /** The word at the end, of which an address without a scheme may be made. */
  #word = "";

  /** @param from goes on where another one is. */
  constructor(from?: LinkContext) {
    if (from === undefined) return;
    this.#url = new Url(from.#url);
    this.#target = new MarkdownTarget(from.#target);
    this.#tag = new HtmlTag(from.#tag);
    this.#tail = from.#tail;
    this.#word = from.#word;
  }

  /** Whether a value that is put here might be sent away. */
  get inside(): boolean {
    return this.#url.inside || this.#target.inside || this.#tag.inValue;
  }

  /** Whether what is put here would be a part of an address without a scheme, with this behind it. */
  joins(after: string): boolean {
    return isLink(this.#word, after);
  }

  read(piece: string): void {
    const text = this.#tail + piece;
    let idle = this.#idle;
    for (let at = this.#tail.length; at < text.length; at++) {
      if (idle && matters[text.charCodeAt(at)] !== true) continue;
      this.#url.read(text, at);
      this.#target.read(text, at);
      this.#tag.read(text, at);
      idle = this.#idle;
    }
    this.#tail = text.slice(-lookBack);
    this.#word = lastWord(this.#word, piece);
  }

  /** A token that stays: none of its characters opens or closes anything. */
  skip(): void {
    this.read("x");
  }

  get #idle(): boolean {
    return !this.#url.inside && !this.#target.inside && !this.#tag.open;
  }
}
