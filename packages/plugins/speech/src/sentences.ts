/** The longest text without the end of a sentence that is spoken at once, in characters. */
const LONGEST = 2000;

const mark = /[\p{Sentence_Terminal}\n]/u;

/** Splits a growing text into sentences by the rules of Unicode for its language. */
export class Sentences {
  readonly #segmenter: Intl.Segmenter;
  #rest = "";
  /** True if a mark that can end a sentence has arrived since the last sentence was cut off. */
  #mark = false;

  constructor(locale: string | undefined) {
    this.#segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  }

  /** Adds text and returns the sentences that are complete: all but the last, which may continue. */
  add(text: string): readonly string[] {
    this.#rest += text;
    this.#mark ||= mark.test(text);
    if (!this.#mark) return this.#tooLong();
    const all = Array.from(this.#segmenter.segment(this.#rest), ({ segment }) => segment);
    this.#rest = all.pop() ?? "";
    this.#mark = mark.test(this.#rest);
    return [...all, ...this.#tooLong()];
  }

  /** Returns the last sentence. Returns an empty list if nothing is left. */
  end(): readonly string[] {
    const last = this.#rest;
    this.#rest = "";
    return last === "" ? [] : [last];
  }

  /** Splits a sentence that is too long to be spoken at once, between words if possible. */
  #tooLong(): readonly string[] {
    const pieces: string[] = [];
    while (this.#rest.length > LONGEST) {
      const space = this.#rest.lastIndexOf(" ", LONGEST);
      const at = space > 0 ? space + 1 : boundaryAt(this.#rest, LONGEST);
      pieces.push(this.#rest.slice(0, at));
      this.#rest = this.#rest.slice(at);
    }
    return pieces;
  }
}

/** Returns the index, or the one before it if the index would split a surrogate pair. */
const boundaryAt = (text: string, index: number): number =>
  /[\uD800-\uDBFF]/.test(text[index - 1] ?? "") ? index - 1 : index;
