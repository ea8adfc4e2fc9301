import type { Automaton } from "./automaton.js";
import { HIDDEN, kinds } from "./characters.js";
import { weigh } from "./context.js";
import { type Decoded, decode, isEscape, isQuotedAt } from "./decoded.js";
import { contextWindow } from "./labels.js";
import type { Plan, Probe } from "./plan.js";
import { Reader } from "./reader.js";
import type { Recogniser, Report } from "./recogniser.js";
import type { CompiledRule } from "./rule.js";
import { Wordless } from "./wordless.js";
import { Words } from "./words.js";

/** A finding of the pass over the text, in units of the stream. Mutable while overlaps are being resolved. */
export interface Found {
  readonly rule: CompiledRule;
  start: number;
  readonly end: number;
  readonly score: number;
  /** The tail of a match longer than its bound. It is removed without a replacement. */
  readonly silent: boolean;
}

/** The text that a pass reads, and its position in the stream. */
export interface Stretch {
  readonly text: string;
  /** The index in the stream at which `text` begins. */
  readonly base: number;
  /** The text before the stream, if the stream is part of something larger. */
  readonly surroundings: string | undefined;
  /** True if `text` ends with the stream. */
  readonly ended: boolean;
}

/** The minimum score of a match without a context word. */
const sureEnough = 0.91;
/** Scores have two decimals. */
const rounding = 0.006;

/** Adds a match, with positions in `text`, if its score reaches the threshold of its rule. */
export function add(
  stretch: Stretch,
  rule: CompiledRule,
  start: number,
  end: number,
  score: number,
  to: Found[],
): void {
  const { base } = stretch;
  if (rule.weighed && isHopeless(stretch, rule, start, end, score)) return;
  const sure =
    rule.weighed && (score < sureEnough || rule.context || (stretch.surroundings && rule.recogniser?.weigh))
      ? weigh(rule, score, before(stretch, start), stretch.text.slice(start, end), isAlone(stretch, start, end))
      : score;
  if (sure < rule.threshold || rule.allowed?.(stretch.text.slice(start, end))) return;
  to.push({ rule, start: start + base, end: end + base, score: sure, silent: false });
}

/** Returns true if no words before a match could raise its score to the threshold. Most doubtful matches end here. */
function isHopeless(stretch: Stretch, rule: CompiledRule, start: number, end: number, score: number): boolean {
  const { threshold, most = 1, recogniser } = rule;
  if (score + most + rounding >= threshold || mayRaise(recogniser)) return false;
  return !isAlone(stretch, start, end) || score + most + (recogniser?.alone ?? 0) + rounding < threshold;
}

/** Returns true if the recogniser's `weigh` may raise a score. */
const mayRaise = (recogniser: Recogniser | undefined): boolean =>
  recogniser?.weigh !== undefined && recogniser.onlyLowers !== true;

function before({ text, base, surroundings }: Stretch, start: number): string {
  const known = text.slice(Math.max(0, start - contextWindow), start);
  if (base > 0 || known.length >= contextWindow || !surroundings) return known;
  return `${surroundings}: ${known}`.slice(-contextWindow);
}

const isAlone = ({ text, base, surroundings, ended }: Stretch, start: number, end: number): boolean =>
  ended && start + base === 0 && end === text.length && surroundings === undefined;

/**
 * Runs the single pass: reads every unit of `[from, to)` once, and calls a recogniser only if the plan requires it.
 * Both ends must be places to cut, or ends of an overlong stretch.
 */
export function scan(plan: Plan, stretch: Stretch, from: number, to: number, found: Found[]): void {
  if (plan.automaton === undefined) return;
  const { text, base, surroundings } = stretch;
  const reader = new Reader(plan.automaton, text);
  reader.load(from, to);
  try {
    const first = reader.next(from, to);
    // Most telemetry text contains no site of any rule, so there is nothing more to do.
    if (first === to) return;
    const words = new Words(text, from, base === 0 ? surroundings : undefined);
    const report: PassReport = (rule, start, end, score) => add(stretch, rule, start, end, score, found);
    new Pass(plan, text, from, to, report, words).read(plan.automaton, reader, first);
  } finally {
    reader.release();
  }
}

const equals = 61;

type PassReport = (rule: CompiledRule, start: number, end: number, score: number) => void;

/** The state of a pass once it has met a mark: who has looked how far. */
class Pass {
  readonly #plan: Plan;
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  readonly #report: PassReport;
  /** The index at which each rule's recogniser looks next, by the order of the rule. */
  readonly #next: number[];
  /** The last stretch without a place to cut. */
  #start = 0;
  #end = -1;
  /** The end of the text that was read a second time. */
  #decoded = 0;
  /** The words of the text. `undefined` in a second reading, whose matches are listed after those of the first one. */
  readonly #words: Words | undefined;
  readonly #wordless: Wordless | undefined;
  #probe: Probe | undefined;
  /** One closure for all recognisers: most marks lead to nothing. */
  readonly #found: Report = (start, end, score) => {
    if (this.#probe === undefined || this.#lacksWord(this.#probe, start, end, score)) return;
    this.#report(this.#probe.rule, start, end, score);
  };

  constructor(plan: Plan, text: string, from: number, to: number, report: PassReport, words?: Words) {
    this.#words = words;
    this.#wordless =
      words && plan.conditional.length > 0 ? new Wordless(text, from, to, words, plan.conditional) : undefined;
    this.#next = plan.rules.map(() => 0);
    this.#plan = plan;
    this.#text = text;
    this.#from = from;
    this.#to = to;
    this.#report = report;
  }

  /** Continues after the first stop of the reader. At the end of a site, calls the recognisers that asked for it. */
  read(automaton: Automaton, reader: Reader, first: number): void {
    const { probes, stretched } = this.#plan;
    const wordless = this.#wordless;
    const to = this.#to;
    for (let at = first; at < to; at = reader.next(at + 1, to)) {
      const sites = automaton.ended(reader.state);
      for (let index = 0; index < sites.length; index++) {
        const probe = probes[sites[index] as number];
        if (probe !== undefined) this.#call(probe, at);
        else if (this.#words !== undefined) this.#undo(isHidden(this.#text.charCodeAt(at)) ? at : at - 1);
      }
      if (stretched.length > 0) reader.lookedUntil = this.#lookedUntil(stretched);
      if (wordless === undefined) continue;
      if (reader.wordless && automaton.wakes(reader.state)) this.#wake(automaton, at);
      reader.wordless = wordless.isOn;
    }
  }

  /** Returns the end of the text that all recognisers of whole stretches have read. */
  #lookedUntil(stretched: readonly number[]): number {
    let until = this.#to;
    for (let index = 0; index < stretched.length; index++)
      until = Math.min(until, this.#next[stretched[index] as number] ?? 0);
    return until;
  }

  /** Looks at the doubtful sites in the stretch before a word, which were passed over. */
  #wake(automaton: Automaton, at: number): void {
    let state = 0;
    for (let again = this.#wordless?.wake(at) ?? at; again < at; again++) {
      state = automaton.step(state, automaton.classes[this.#text.charCodeAt(again)] ?? 0);
      for (const site of automaton.ended(state)) {
        const probe = this.#plan.probes[site];
        if (probe !== undefined && probe.required !== 0) this.#call(probe, again);
      }
    }
  }

  /**
   * Calls a recogniser at its triggers, from the earliest index that it asked for, inside the stretch around `at` that
   * contains no place to cut. So its matches do not depend on where a stream was split.
   */
  #call(probe: Probe, at: number): void {
    const { look, triggers, reach, begin, order, required } = probe;
    let next = this.#next[order] ?? 0;
    if (next > at) return;
    if (required !== 0 && this.#wordless?.mayCount(probe, at) === false) return;
    if (at > this.#end || at < this.#start) this.#surround(at);
    const from = this.#start;
    const to = this.#end;
    const low = Math.max(next, from);
    const text = this.#text;
    next = Math.max(low, at - reach);
    if (begin !== undefined) next = begin(text, next, low);
    const words = probe.needsWord ? this.#words : undefined;
    this.#probe = probe;
    while (next <= at) {
      const code = text.charCodeAt(next);
      const isTrigger = code < 128 && triggers[code] === 1;
      next = isTrigger ? look(text, next, from, to, this.#found, words) : next + 1;
    }
    this.#next[order] = next;
  }

  #surround(at: number): void {
    const { breaks } = this.#plan;
    const low = at > this.#end ? Math.max(this.#from, this.#end) : this.#from;
    const before = breaks.last(this.#text, low, at);
    this.#start = before < 0 ? low : before + 1;
    this.#end = breaks.first(this.#text, at, this.#to);
  }

  /** Returns true if the score of a match is too low, and no word before it raises it. */
  #lacksWord({ rule, recogniser, labels, needsWord }: Probe, start: number, end: number, score: number): boolean {
    if (!needsWord || score + rounding >= rule.threshold || mayRaise(recogniser)) return false;
    if (this.#words === undefined || (start === 0 && end === this.#text.length)) return false;
    return !this.#words.mayPrecede(labels, start, start);
  }

  /**
   * Undoes an escape at `at`. After a JSON escape the stretch is no longer read as written: the letter of `\n` belongs
   * to no value.
   */
  #undo(at: number): void {
    if (this.#text.charCodeAt(at) === equals && !isQuotedAt(this.#text, at)) return;
    if (at >= this.#decoded) this.#readDecoded(at);
    if (!isEscape(this.#text, at, this.#to)) return;
    for (const { order } of this.#plan.rules) this.#next[order] = Math.max(this.#next[order] ?? 0, this.#decoded);
  }

  /** Reads the stretch around `at` a second time, with hidden forms undone. */
  #readDecoded(at: number): void {
    const [start, end] = this.#plan.breaks.around(this.#text, at, Math.max(this.#from, this.#decoded), this.#to);
    this.#decoded = end;
    const decoded = decode(this.#text, start, end);
    if (decoded === undefined) return;
    // First only the JSON escapes are undone, since a URL may contain `%20`.
    if (decoded.mixed) this.#scanDecoded(decode(this.#text, start, end, "json"), start, end);
    this.#scanDecoded(decoded, start, end);
    if (decoded.tagged) this.#scanDecoded(decode(this.#text, start, end, "tags"), start, end);
  }

  #scanDecoded(decoded: Decoded | undefined, start: number, end: number): void {
    const { automaton } = this.#plan;
    if (decoded === undefined || automaton === undefined) return;
    const { text, starts, ends } = decoded;
    const pass = new Pass(this.#plan, text, 0, text.length, (rule, first, last, score) =>
      this.#report(rule, starts[first] ?? start, ends[last - 1] ?? end, score),
    );
    // Unit by unit: it is a few units, while the first reading has the buffer.
    const reader = new Reader(automaton, text);
    pass.read(automaton, reader, reader.next(0, text.length));
  }
}

const isHidden = (code: number): boolean => ((kinds[code] ?? 0) & HIDDEN) !== 0;
