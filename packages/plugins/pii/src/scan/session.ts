import { BREAK, kinds } from "./characters.js";
import { beforeEscape } from "./decoded.js";
import { contextWindow } from "./labels.js";
import { inOrder, resolve } from "./overlaps.js";
import type { Plan } from "./plan.js";
import type { Walker } from "./recogniser.js";
import type { CompiledRule } from "./rule.js";
import { add, type Found, type Stretch, scan } from "./scanner.js";

/** The maximum length of a held stretch without a place to cut. A longer one is decided in steps. */
const stretch = 4096;
/**
 * The part of a longer stretch that is read again with the text after it. It is longer than any match of bounded
 * length.
 */
const overlap = 512;
/** Matches that overlap one another in a chain are decided together up to this length. */
const chain = 8192;
/** Units before the undecided part that are read again: context words, and what recognisers look at. */
const context = contextWindow + 2;

/** Receives the parts of the text, plain or found, in order and without gaps. */
export interface Sink {
  plain(text: string): void;
  found(found: Found, value: string): void;
  /** Called if the recogniser of a rule failed and the rule ignores failures. */
  ignored?(rule: CompiledRule): void;
}

/** A rule on its way along the text. */
interface Walk {
  readonly rule: CompiledRule;
  readonly walker: Walker;
  /** True if its matches need no weighing. */
  readonly certain: boolean;
  /** The index before which no more matches will be found. */
  at: number;
}

/**
 * One text on its way through the rules, in as many pieces as it comes. What reaches the sink does not depend on how
 * it was cut: everything is decided from the text before the next place to cut, and from that alone.
 */
export class Session {
  readonly #plan: Plan;
  readonly #sink: Sink;
  readonly #walkers: Walk[] = [];
  readonly #triggered: boolean;
  readonly #surroundings: string | undefined;
  #text = "";
  /** The index in the stream at which `#text` begins. All positions except `#checked` are in the stream. */
  #base = 0;
  #scanned = 0;
  #emitted = 0;
  /** The end of the part of `#text` without a place to cut. */
  #checked = 0;
  /** The rule of a match that was longer than `stretch`, while its tail is removed. */
  #tail: CompiledRule | undefined;
  #found: Found[] = [];

  /**
   * @param surroundings The text before this one if it is part of something larger, such as the name of its field, or
   *   an empty string. Its words count as context, and the text does not count as a value that stands alone.
   */
  constructor(plan: Plan, sink: Sink, surroundings?: string) {
    this.#plan = plan;
    this.#sink = sink;
    this.#surroundings = surroundings;
    for (const rule of plan.rules) if (rule.walker || rule.denied) this.#walkers.push(...walksOf(rule, sink));
    this.#triggered = plan.automaton !== undefined;
  }

  /**
   * Reads a complete text. Replaces `push` and `end`.
   *
   * @param found The matches of the recognisers with triggers, if they are known. The session takes ownership of the
   *   array.
   */
  whole(text: string, found?: Found[]): void {
    this.#text = text;
    if (found !== undefined) {
      this.#found = found;
      this.#scanned = text.length;
    } else if (text.length > stretch + 1) this.#advance(false);
    this.#advance(true);
  }

  push(chunk: string): void {
    if (chunk === "") return;
    this.#text = this.#text === "" ? chunk : this.#text + chunk;
    this.#advance(false);
  }

  end(): void {
    this.#advance(true);
  }

  /** The received text that is not decided yet, for callers that pass it after a failure. */
  get undecided(): string {
    return this.#text.slice(this.#emitted - this.#base);
  }

  /** The length of `undecided`. */
  get held(): number {
    return this.#base + this.#text.length - this.#emitted;
  }

  #advance(end: boolean): void {
    if (this.#triggered) this.#scanAll(end);
    else this.#scanned = this.#base + this.#text.length;
    let open = this.#scanned;
    for (const one of this.#walkers) {
      one.at = one.walker.advance(this.#text, this.#base, end, (start, stop, score, silent = false) => {
        const known = this.#found.length;
        if (silent || one.certain) this.#found.push({ rule: one.rule, start, end: stop, score, silent });
        else add(this.#stretch(end), one.rule, start - this.#base, stop - this.#base, score, this.#found);
        return this.#found.length > known;
      });
      open = Math.min(open, one.at);
    }
    this.#emit(open, end);
    this.#forget();
  }

  /** The built-in recognisers, up to the last place to cut. */
  #scanAll(end: boolean): void {
    const { breaks } = this.#plan;
    for (;;) {
      if (this.#tail !== undefined) this.#dropTail(end);
      const from = this.#scanned - this.#base;
      const { length } = this.#text;
      if (from >= length) return;
      const limit = from + stretch;
      if (length > limit + 1) {
        const cut = breaks.last(this.#text, from, limit + 1);
        if (cut < 0) this.#force(from, limit);
        else this.#scan(from, cut, cut + 1, false);
      } else if (end) {
        this.#scan(from, length, length, true);
      } else {
        const cut = breaks.last(this.#text, Math.max(from, this.#checked), length);
        if (cut >= 0) this.#scan(from, cut, cut + 1, false);
        // The last unit may become a place to cut when the next one is known.
        this.#checked = Math.max(length - 1, 0);
        return;
      }
    }
  }

  #stretch(ended: boolean): Stretch {
    return { text: this.#text, base: this.#base, surroundings: this.#surroundings, ended };
  }

  #scan(from: number, to: number, next: number, ended: boolean): void {
    scan(this.#plan, this.#stretch(ended), from, to, this.#found);
    this.#scanned = this.#base + next;
  }

  /** Decides the matches that begin in the first part of a stretch that is longer than the limit. */
  #force(from: number, limit: number): void {
    const found: Found[] = [];
    scan(this.#plan, this.#stretch(false), from, limit, found);
    let cut = this.#base + beforeEscape(this.#text, limit - overlap);
    for (const one of found.sort(inOrder)) {
      if (one.start >= cut) break;
      cut = Math.max(cut, one.end);
      this.#found.push(one);
      if (one.end === this.#base + limit) this.#tail ??= one.rule;
    }
    this.#scanned = cut;
  }

  /** Takes out the rest of an overlong match, up to the end of its word. */
  #dropTail(end: boolean): void {
    const { length } = this.#text;
    const from = this.#scanned - this.#base;
    let to = from;
    while (to < length && ((kinds[this.#text.charCodeAt(to)] ?? 0) & BREAK) === 0) to++;
    if (to > from && this.#tail !== undefined) {
      const start = this.#base + from;
      this.#found.push({ rule: this.#tail, start, end: this.#base + to, score: 1, silent: true });
    }
    this.#scanned = this.#base + to;
    if (to < length || end) this.#tail = undefined;
  }

  /** Emits the text before `open`. A match that does not end before `open` is held from its start. */
  #emit(open: number, end: boolean): void {
    const found = this.#found;
    let held = open;
    if (found.length > 0) {
      if (found.length > 1) found.sort(inOrder);
      let index = 0;
      for (let first = found[0]; first !== undefined && first.start < open; first = found[index]) {
        const [next, until] = this.#cluster(index, open);
        if (until > open) {
          held = first.start;
          break;
        }
        for (const one of resolve(found.slice(index, next))) this.#emitFound(one);
        index = next;
      }
      if (index > 0) found.splice(0, index);
    }
    this.#emitPlain(end ? held : this.#wellFormed(held));
  }

  /**
   * Returns the matches from `index` on that overlap in a chain: the index after the last one, and the end of the
   * chain.
   */
  #cluster(index: number, open: number): [next: number, until: number] {
    const found = this.#found;
    const start = found[index]?.start ?? 0;
    let until = found[index]?.end ?? 0;
    let next = index + 1;
    for (let one = found[next]; one !== undefined && one.start < Math.min(until, open); one = found[++next]) {
      if (one.end - start > chain) {
        for (let late = next; (found[late]?.start ?? until) < until; late++) this.#shorten(late, until);
        break;
      }
      until = Math.max(until, one.end);
    }
    return [next, until];
  }

  #shorten(index: number, start: number): void {
    const one = this.#found[index];
    if (one !== undefined) one.start = Math.min(start, one.end);
  }

  #emitFound(found: Found): void {
    if (found.start >= found.end) return;
    this.#emitPlain(found.start);
    this.#sink.found(found, this.#text.slice(found.start - this.#base, found.end - this.#base));
    this.#emitted = found.end;
  }

  #emitPlain(until: number): void {
    if (until <= this.#emitted) return;
    this.#sink.plain(this.#text.slice(this.#emitted - this.#base, until - this.#base));
    this.#emitted = until;
  }

  /** A position that is not between the two halves of a surrogate pair. */
  #wellFormed(position: number): number {
    const before = this.#text.charCodeAt(position - this.#base - 1);
    return before >= 0xd800 && before < 0xdc00 ? position - 1 : position;
  }

  /** Drops text that is not read again. */
  #forget(): void {
    let keep = Math.min(this.#emitted, this.#scanned);
    for (const { walker, at } of this.#walkers) keep = Math.min(keep, at - walker.context);
    const drop = keep - context - this.#base;
    if (drop < 256) return;
    this.#text = this.#text.slice(drop);
    this.#base += drop;
    this.#checked = Math.max(this.#checked - drop, 0);
  }
}

function walksOf(rule: CompiledRule, sink: Sink): Walk[] {
  const walks: Walk[] = [];
  if (rule.walker) walks.push({ rule, walker: rule.walker(() => sink.ignored?.(rule)), certain: false, at: 0 });
  if (rule.denied) walks.push({ rule, walker: rule.denied(), certain: true, at: 0 });
  return walks;
}
