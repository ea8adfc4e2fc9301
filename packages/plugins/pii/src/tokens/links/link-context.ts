import { HtmlTag } from "./html-tag.js";
import { isLink, lastWord } from "./link.js";
import { MarkdownTarget } from "./markdown-target.js";
import { lookBack, Url } from "./url.js";

/**
 * The characters with which a URL, a link target or a tag begins. Outside of these, other characters have no effect.
 */
const beginnings = new Set([..."/.:(<"].map((mark) => mark.charCodeAt(0)));
const matters = Array.from({ length: 128 }, (_, code) => beginnings.has(code));

/**
 * Tracks if the text read so far ends inside a URL, a Markdown link or image target, or an HTML attribute value. A
 * program that displays the text may send a value there to a server without being asked. If Markdown, HTML and
 * auto-linkers differ, the widest interpretation applies.
 */
export class LinkContext {
  #url = new Url();
  #target = new MarkdownTarget();
  #tag = new HtmlTag();
  /** The units before the next piece that a beginning may reach back to. */
  #tail = "";
  /** The last word, which may become part of an address without a scheme. */
  #word = "";

  /** @param from the context to continue */
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

  /** Returns true if a value inserted here, followed by `after`, would be part of an address without a scheme. */
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
