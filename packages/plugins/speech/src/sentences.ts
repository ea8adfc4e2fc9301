/** The longest text that is spoken at once, where no sentence ends: characters. */
const LONGEST = 2000;

const mark = /[\p{Sentence_Terminal}\n]/u;

/** Cuts a text that grows into sentences, as the rules of Unicode have them for its language. */
export class Sentences {
  readonly #segmenter: Intl.Segmenter;
  #rest = "";
  /** A mark with which a sentence may end has come since the last one was cut off. */
  #mark = false;

  constructor(locale: string | undefined) {
    this.#segmenter = new Intl.Segmenter(locale, { granularity: "sentence" });
  }

  /** The sentences that are whole now: all but the last, which may go on. */
  add(text: string): readonly string[] {
    this.#rest += text;
    this.#mark ||= mark.test(text);
    if (!this.#mark) return this.#tooLong();
    const all = Array.from(this.#segmenter.segment(this.#rest), ({ segment }) => segment);
    this.#rest = all.pop() ?? "";
    this.#mark = mark.test(this.#rest);
    return [...all, ...this.#tooLong()];
  }

  /** The last sentence; none where nothing is left. */
  end(): readonly string[] {
    const last = this.#rest;
    this.#rest = "";
    return last === "" ? [] : [last];
  }

  /** Pieces of a sentence that is longer than is spoken at once, cut between words where there are any. */
  #tooLong(): readonly string[] {
    const pieces: string[] = [];
    while (this.#rest.length > LONGEST) {
      const space = this.#rest.lastIndexOf(" ", LONGEST);
      const at = space > 0 ? space + 1 : wholeAt(this.#rest, LONGEST);
      pieces.push(this.#rest.slice(0, at));
      this.#rest = this.#rest.slice(at);
    }
    return pieces;
  }
}

/** The index, or the one before it, where it would part the halves of a character. */
const wholeAt = (text: string, index: number): number =>
  /[\uD800-\uDBFF]/.test(text[index - 1] ?? "") ? index - 1 : index;
