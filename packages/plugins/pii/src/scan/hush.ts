import { BREAK, kinds } from "./characters.js";
import { contextWindow } from "./labels.js";
import type { Asking } from "./plan.js";
import type { Words } from "./words.js";

const isBreak = (code: number): boolean => ((kinds[code] ?? 0) & BREAK) !== 0;

/**
 * The silence of a text: where no word stands that makes a doubtful site worth a look. Texts full of numbers have hardly any
 * words, and no doubtful site is met in them until two letters stand together again.
 */
export class Hush {
  /** Whether no such word stands before what was asked about last, for any rule. */
  silent = false;
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  readonly #words: Words;
  /** All that words before doubtful sites may have to say. */
  readonly #said: number;
  /** The place before which each rule's doubtful sites count for nothing, by the order of the rule. */
  readonly #until: number[] = [];
  /** The place that was asked about last. */
  #asked = Number.NEGATIVE_INFINITY;
  /** The stretch without a character to cut at that was looked at last. */
  #start = 0;
  #end = -1;

  constructor(text: string, from: number, to: number, words: Words, doubted: readonly Asking[]) {
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#words = words;
    this.#said = doubted.reduce((said, { behind }) => said | behind, 0);
  }

  /** Whether a word may stand before what has a doubtful site that ends at `at`. Of one far behind the last one it may. */
  mayCount({ order, behind, reach }: Asking, at: number): boolean {
    if (at < (this.#until[order] ?? 0)) return false;
    const isFirst = at - this.#asked > contextWindow;
    this.#asked = at;
    // To look at one costs less than to read the words before it.
    if (isFirst) return true;
    if (at >= this.#end) this.#stretch(at);
    const start = Math.min(this.#start, Math.max(this.#from, at - reach));
    if (this.#words.mayStand(behind, start, this.#end)) return true;
    this.#until[order] = this.#end;
    this.silent = !this.#words.mayStand(this.#said, start, this.#end);
    return false;
  }

  /** Ends the silence, in which no two letters stood together before `at`. */
  wake(at: number): void {
    if (!this.silent) return;
    this.silent = false;
    this.#asked = at;
    this.#words.skip(at - 1);
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
