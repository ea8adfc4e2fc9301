import { type Calm, calmOf, findCalm } from "./calm.js";
import { isAlpha } from "./characters.js";
import { Alphabet, type Site } from "./site.js";

/** The table entry for a transition that is not computed yet. */
const unknown = -1;
/** The table entry if the last two characters do not determine the state. */
const more = -2;
const none: readonly number[] = [];

/** The sites, by their indices, that do not end in each table. */
export interface Roles {
  /** Sites that do not end in `wordless`. */
  readonly doubtful: readonly number[];
  /** Sites that end in `wordless` alone. */
  readonly waking: readonly number[];
  /** Sites that do not end in `stretch`. */
  readonly stretched: readonly number[];
}

/** The places in sites that are reached, and the sites that end there. */
interface Reached {
  readonly places: readonly number[];
  readonly ended: readonly number[];
  readonly wakes: boolean;
}

/**
 * Finds the ends of sites in one step per character, for any number of sites: a deterministic automaton whose states
 * are created on first use. A state is the set of positions in sites that were reached.
 *
 * A character is calm if no site ends as long as only calm characters follow each other: mostly letters and spaces. The
 * last few calm characters determine the state after them, so that the others can be skipped. Calm states are the
 * states after calm characters.
 */
export class Automaton {
  readonly classes: Uint8Array;
  /** The next state, by state and class. Below zero if a site ends there, or if the transition is not computed yet. */
  table = new Int32Array(4096).fill(unknown);
  /**
   * A similar table for parts without words, which skips doubtful sites and stops at the end of sites that end such a
   * part.
   */
  wordless = new Int32Array(4096).fill(unknown);
  /** A similar table for stretches that were checked, whose sites are skipped. */
  stretch = new Int32Array(4096).fill(unknown);
  readonly calm: Calm;
  /** Calm characters without letters, for `wordless`. */
  readonly calmWordless: Calm;
  /** The state before which all states are calm. */
  readonly calmUntil: number;
  /** The number of calm characters that a calm state depends on. */
  readonly memory: number;
  /** The number of places of the table that a state has is 2 to the power of this. */
  readonly #bits: number;
  readonly #alphabet: Alphabet;
  /** The site of each step, for the steps of all sites in sequence. */
  readonly #owners: number[] = [];
  readonly #firsts: readonly number[];
  readonly #doubtful: ReadonlySet<number>;
  readonly #waking: ReadonlySet<number>;
  readonly #stretched: ReadonlySet<number>;
  readonly #states: { readonly places: readonly number[] }[] = [];
  /** The sites that end in each state, and whether a waking one does. */
  readonly #ends: (readonly number[])[] = [];
  readonly #wakes: boolean[] = [];
  readonly #known = new Map<string, number>();
  /** The states after two calm characters, by the classes of both. */
  readonly #afterTwo: Int32Array;

  constructor(sites: readonly Site[], roles: Partial<Roles> = {}) {
    const { doubtful = none, waking = none, stretched = none } = roles;
    this.#doubtful = new Set(doubtful);
    this.#waking = new Set(waking);
    this.#stretched = new Set(stretched);
    this.#alphabet = new Alphabet(sites);
    this.classes = this.#alphabet.classes;
    this.#bits = Math.ceil(Math.log2(this.#alphabet.members.length));
    this.#firsts = this.#alphabet.sites.map(({ steps }, site) => {
      const first = this.#owners.length;
      for (let step = 0; step < steps.length; step++) this.#owners.push(site);
      return first;
    });
    // As after a character that ends every word.
    const { places } = this.#reach(this.#begin(false), this.classes[0] ?? 0);
    this.#state({ places, ended: [], wakes: false });
    const { units, memory } = findCalm(this.classes, places, (from, unit) => this.#reach(from, unit));
    this.memory = memory;
    this.calm = calmOf((code) => units.has(this.classes[code] ?? 0));
    this.calmWordless = calmOf((code) => units.has(this.classes[code] ?? 0) && !isAlpha(code));
    // Each calm state is made before all others.
    for (let state = 0; state < this.#states.length; state++)
      for (const unit of units) this.step(state << this.#bits, unit);
    this.calmUntil = this.#states.length << this.#bits;
    this.#afterTwo = new Int32Array(1 << (2 * this.#bits)).fill(unknown);
  }

  /** Returns the state after the calm bytes `[from, to)`. If there are many, the last ones determine it, mostly two. */
  afterCalm(before: number, bytes: Uint8Array, from: number, to: number, table: Int32Array): number {
    let state = before;
    let at = from;
    if (to - from > this.memory) {
      state = this.#stateAfterTwo(bytes[to - 2] ?? 0, bytes[to - 1] ?? 0);
      if (state >= 0) return state;
      state = 0;
      at = to - this.memory;
    }
    for (; at < to; at++) state = table[state + (this.classes[bytes[at] ?? 0] ?? 0)] ?? 0;
    return state;
  }

  /** Returns the state after calm characters that end with these two. Below zero if it depends on more of them. */
  #stateAfterTwo(first: number, second: number): number {
    const place = ((this.classes[first] ?? 0) << this.#bits) | (this.classes[second] ?? 0);
    const known = this.#afterTwo[place] ?? unknown;
    return known === unknown ? this.#computeAfterTwo(place) : known;
  }

  #computeAfterTwo(place: number): number {
    const second = place & ((1 << this.#bits) - 1);
    const first = place >> this.#bits;
    const after = this.step(this.step(0, first), second);
    let depends = false;
    for (let state = 0; state < this.calmUntil && !depends; state += 1 << this.#bits)
      depends = this.step(this.step(state, first), second) !== after;
    const found = depends ? more : after;
    this.#afterTwo[place] = found;
    return found;
  }

  /** Returns the state after a character of the class, as `table` encodes states without an end. */
  step(state: number, unit: number): number {
    const known = this.table[state + unit] ?? unknown;
    if (known !== unknown) return known >= 0 ? known : -2 - known;
    const following = this.#reach(this.#states[state >> this.#bits]?.places ?? [], unit);
    const { ended, wakes } = following;
    const next = this.#state(following);
    this.table[state + unit] = ended.length > 0 ? -2 - next : next;
    this.wordless[state + unit] = wakes || ended.some((site) => !this.#doubtful.has(site)) ? -2 - next : next;
    this.stretch[state + unit] = ended.some((site) => !this.#stretched.has(site)) ? -2 - next : next;
    return next;
  }

  /** Returns the state after a character whose table entry is below zero. */
  stop(state: number, unit: number, entry: number): number {
    return entry === unknown ? this.step(state, unit) : -2 - entry;
  }

  /** The sites that end in a state, but for waking ones. */
  ended(state: number): readonly number[] {
    return this.#ends[state >> this.#bits] ?? none;
  }

  /** Returns true if a waking site ends in a state. */
  wakes(state: number): boolean {
    return this.#wakes[state >> this.#bits] === true;
  }

  /** Returns the positions after a character of the class, and the sites that end with it. */
  #reach(places: readonly number[], unit: number): Reached {
    const following = new Set<number>();
    const ended = new Set<number>();
    const member = this.#alphabet.members[unit] ?? [];
    for (const place of places) this.#advance(place, member, following, ended);
    for (const place of this.#begin(member[0] === true)) following.add(place);
    const wakes = [...ended].some((site) => this.#waking.has(site));
    for (const site of this.#waking) ended.delete(site);
    return { places: [...following].sort((a, b) => a - b), ended: [...ended], wakes };
  }

  #begin(afterDigitUnit: boolean): number[] {
    return this.#firsts.filter((_, site) => !afterDigitUnit || this.#alphabet.sites[site]?.afterDigit);
  }

  #advance(place: number, member: readonly boolean[], following: Set<number>, ended: Set<number>): void {
    const site = this.#owners[place] ?? 0;
    const { steps } = this.#alphabet.sites[site] ?? { steps: [] };
    const first = this.#firsts[site] ?? 0;
    for (let index = place - first; index < steps.length; index++) {
      const step = steps[index];
      if (step !== undefined && member[step.set]) {
        if (step.again) following.add(first + index);
        if (index + 1 === steps.length) ended.add(site);
        else following.add(first + index + 1);
      }
      if (!step?.optional) return;
    }
  }

  #state({ places, ended, wakes }: Reached): number {
    const key = `${places.join()};${ended.join()};${wakes}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#ends.push(ended);
    this.#wakes.push(wakes);
    const state = (this.#states.push({ places }) - 1) << this.#bits;
    this.#known.set(key, state);
    if (state + (1 << this.#bits) > this.table.length) {
      this.table = doubled(this.table);
      this.wordless = doubled(this.wordless);
      this.stretch = doubled(this.stretch);
    }
    return state;
  }
}

function doubled(table: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(table.length * 2).fill(unknown);
  longer.set(table);
  return longer;
}
