import { isBreak } from "./characters.js";
import { contextWindow } from "./labels.js";
import type { Probe } from "./plan.js";
import type { Words } from "./words.js";

/** The minimum length of a part without words, in units, for which finding it is worth the cost. */
const worthwhile = 96;
/** The maximum number of doubtful sites that are handled in text with words before it is tested again. */
const most = 15;

/**
 * Finds parts of a text without context words, in which doubtful sites need not be checked. Text full of numbers has
 * hardly any words, and its doubtful sites are skipped until two letters stand together again.
 */
export class Wordless {
  /** True if no such word stands before the last tested index, for any rule. */
  isOn = false;
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  readonly #words: Words;
  /** The labels of all words that doubtful sites may need before them. */
  readonly #labels: number;
  /** The index before which each rule's doubtful sites do not count, by the order of the rule. */
  readonly #until: number[] = [];
  /** The index at which such a part began. */
  #since = 0;
  /** The number of doubtful sites that are checked before the words before one are read again. */
  #patience = 0;
  #lost = 0;
  /** The last tested index. */
  #lastSite = Number.NEGATIVE_INFINITY;
  /** The last stretch without a place to cut. */
  #start = 0;
  #end = -1;

  constructor(text: string, from: number, to: number, words: Words, conditional: readonly Probe[]) {
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#words = words;
    this.#labels = conditional.reduce((set, { required }) => set | required, 0);
  }

  /**
   * Returns true if a context word may stand before a match with a doubtful site that ends at `at`. Always true if the
   * site is far from the last one.
   */
  mayCount({ order, required, reach }: Probe, at: number): boolean {
    if (at < (this.#until[order] ?? 0)) return false;
    const isFirst = at - this.#lastSite > contextWindow;
    this.#lastSite = at;
    if (isFirst) return true;
    const isPatient = this.#patience-- > 0;
    // Checking a site costs less than reading the words before it, unless another rule has read them.
    if (isPatient && !this.#words.isReadTo(at)) return true;
    if (at >= this.#end) this.#stretch(at);
    const start = Math.min(this.#start, Math.max(this.#from, at - reach));
    const counts = this.#words.mayPrecede(required, start, this.#end);
    if (isPatient) return counts;
    this.isOn = !counts && !this.#words.mayPrecede(this.#labels, start, this.#end);
    if (!counts) this.#until[order] = this.#end;
    if (this.isOn) this.#since = at;
    else this.#lose();
    return counts;
  }

  /**
   * Ends such a part, in which no two letters stood together before `at`. Returns the beginning of the stretch, since
   * doubtful sites may lie before the word.
   */
  wake(at: number): number {
    if (!this.isOn) return at;
    this.isOn = false;
    this.#lastSite = at;
    if (at - this.#since < worthwhile) this.#lose();
    else this.#lost = 0;
    if (at < this.#end) return at;
    this.#words.skip(at - 1);
    this.#stretch(at);
    return this.#start;
  }

  /** Notes that a test was in vain. The more often it was, the more sites are checked before the next test. */
  #lose(): void {
    this.#patience = this.#lost;
    this.#lost = Math.min(2 * this.#lost + 1, most);
  }

  #stretch(at: number): void {
    const text = this.#text;
    let start = at;
    while (start > this.#from && !isBreak(text.charCodeAt(start - 1))) start--;
    let end = at + 1;
    while (end < this.#to && !isBreak(text.charCodeAt(end))) end++;
    this.#start = start;
    this.#end = end;
  }
}
