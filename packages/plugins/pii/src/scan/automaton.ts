import { isAlpha } from "./characters.js";
import { Alphabet, type Site } from "./site.js";

/** The entry of a table that says: where a character leads is not known yet. */
const unknown = -1;
const none: readonly number[] = [];

/** All characters of ASCII, in the order in which they are tried as calm ones: letters first, and digits and the dot last, which sites are about. */
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const tried = [
  ...ascii.filter((character) => /[a-z ]/i.test(character)),
  ...ascii.filter((character) => /[^\w .]/.test(character)),
  ...ascii.filter((character) => /[\d_.]/.test(character)),
];

/** The most calm characters that a state may depend on, and the most states that they may lead to. */
const longestMemory = 6;
const mostCalm = 64;

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
 * Finds where sites end, in one step a character, however many sites there are: a deterministic automaton, whose states
 * are made when a text first leads there. A state is the set of places in sites that have been reached.
 *
 * Calm characters are those at which no site ends as long as only such characters follow each other: letters and spaces, mostly. The
 * state behind them depends on the last few alone, so that they can be passed over. Calm states are those that they lead to.
 */
export class Automaton {
  readonly classes: Uint8Array;
  /** The next state, by a state and a class; below zero where a site ends there, or where it is not known yet. */
  table = new Int32Array(4096).fill(unknown);
  /** A table like it for parts without words: doubtful sites are passed over, and those that wake end there. */
  wordless = new Int32Array(4096).fill(unknown);
  /** A table like it for stretches that were looked at: their sites are passed over. */
  stretch = new Int32Array(4096).fill(unknown);
  /** The bytes of UTF-8: 1 for those of calm characters of ASCII. */
  readonly calm = new Uint8Array(256);
  /** Calm characters without letters, for `wordless`. */
  readonly calmWordless = new Uint8Array(256);
  /** The state before which all states are calm. */
  readonly calmUntil: number;
  /** The number of calm characters that a calm state depends on. */
  readonly memory: number;
  /** The number of places of the table that a state has is 2 to the power of this. */
  readonly #bits: number;
  readonly #alphabet: Alphabet;
  /** The site that each step belongs to, of all steps of all sites, one behind the other. */
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
    // As behind a character that ends every word.
    const { places } = this.#reach(this.#begin(false), this.classes[0] ?? 0);
    this.#state({ places, ended: [], wakes: false });
    const { units, memory } = this.#findCalm(places);
    this.memory = memory;
    for (let code = 0; code < 128; code++) {
      this.calm[code] = units.has(this.classes[code] ?? 0) ? 1 : 0;
      this.calmWordless[code] = isAlpha(code) ? 0 : (this.calm[code] ?? 0);
    }
    // Each calm state is made before all others.
    for (let state = 0; state < this.#states.length; state++)
      for (const unit of units) this.step(state << this.#bits, unit);
    this.calmUntil = this.#states.length << this.#bits;
  }

  /** The state to which a character of the class leads, in the form in which `table` has those without an end. */
  step(state: number, unit: number): number {
    const known = this.table[state + unit] ?? unknown;
    if (known !== unknown) return known >= 0 ? known : -2 - known;
    const reached = this.#reach(this.#states[state >> this.#bits]?.places ?? [], unit);
    const { ended, wakes } = reached;
    const next = this.#state(reached);
    this.table[state + unit] = ended.length > 0 ? -2 - next : next;
    this.wordless[state + unit] = wakes || ended.some((site) => !this.#doubtful.has(site)) ? -2 - next : next;
    this.stretch[state + unit] = ended.some((site) => !this.#stretched.has(site)) ? -2 - next : next;
    return next;
  }

  /** The sites that end in a state, but for waking ones. */
  ended(state: number): readonly number[] {
    return this.#ends[state >> this.#bits] ?? none;
  }

  /** Whether a waking site ends in a state. */
  wakes(state: number): boolean {
    return this.#wakes[state >> this.#bits] === true;
  }

  /** The classes of calm characters: as many as can be, in the order in which they are tried. */
  #findCalm(begin: readonly number[]): { readonly units: ReadonlySet<number>; readonly memory: number } {
    const graph = new Graph(begin, (places, unit) => this.#reach(places, unit));
    let calm: { readonly units: ReadonlySet<number>; readonly memory: number } = { units: new Set(), memory: 0 };
    for (const unit of new Set(tried.map((character) => this.classes[character.charCodeAt(0)] ?? 0))) {
      const units = new Set([...calm.units, unit]);
      const memory = graph.memoryOf(units);
      if (memory !== undefined) calm = { units, memory };
    }
    return calm;
  }

  /** The places to which a character of the class leads from these, and the sites that end with it. */
  #reach(places: readonly number[], unit: number): Reached {
    const reached = new Set<number>();
    const ended = new Set<number>();
    const member = this.#alphabet.members[unit] ?? [];
    for (const place of places) this.#advance(place, member, reached, ended);
    for (const place of this.#begin(member[0] === true)) reached.add(place);
    const wakes = [...ended].some((site) => this.#waking.has(site));
    for (const site of this.#waking) ended.delete(site);
    return { places: [...reached].sort((a, b) => a - b), ended: [...ended], wakes };
  }

  #begin(behindDigit: boolean): number[] {
    return this.#firsts.filter((_, site) => !behindDigit || this.#alphabet.sites[site]?.afterDigit);
  }

  #advance(place: number, member: readonly boolean[], reached: Set<number>, ended: Set<number>): void {
    const site = this.#owners[place] ?? 0;
    const { steps } = this.#alphabet.sites[site] ?? { steps: [] };
    const first = this.#firsts[site] ?? 0;
    for (let index = place - first; index < steps.length; index++) {
      const step = steps[index];
      if (step !== undefined && member[step.set]) {
        if (step.again) reached.add(first + index);
        if (index + 1 === steps.length) ended.add(site);
        else reached.add(first + index + 1);
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

/** The states that few characters lead to, numbered from that of the beginning, which is 0. */
class Graph {
  readonly #reach: (places: readonly number[], unit: number) => Reached;
  readonly #places: (readonly number[])[];
  readonly #numbers: Map<string, number>;
  /** The next state, by state and class; -1 where a site ends. */
  readonly #next: number[][] = [];

  constructor(begin: readonly number[], reach: (places: readonly number[], unit: number) => Reached) {
    this.#places = [begin];
    this.#numbers = new Map([[begin.join(), 0]]);
    this.#reach = reach;
  }

  /**
   * The number of characters of these classes on which the state behind them depends, wherever they begin; undefined where a site
   * ends among them, or too many states come of them.
   */
  memoryOf(units: ReadonlySet<number>): number | undefined {
    const states = new Set([0]);
    for (const state of states) {
      for (const unit of units) {
        const next = this.#step(state, unit);
        if (next < 0 || states.size > mostCalm) return undefined;
        states.add(next);
      }
    }
    // Wherever they begin, the same characters lead to the same state in the end.
    let sets: (readonly number[])[] = [[...states]];
    for (let length = 0; length <= longestMemory; length++) {
      if (sets.every((set) => set.length === 1)) return length;
      const longer = new Map<string, readonly number[]>();
      for (const set of sets) {
        if (set.length === 1) continue;
        for (const unit of units) {
          const reached = [...new Set(set.map((state) => this.#step(state, unit)))].sort((a, b) => a - b);
          longer.set(reached.join(), reached);
        }
      }
      sets = [...longer.values()];
    }
    return undefined;
  }

  #step(state: number, unit: number): number {
    this.#next[state] ??= [];
    const row = this.#next[state] as number[];
    row[unit] ??= this.#find(state, unit);
    return row[unit] as number;
  }

  #find(state: number, unit: number): number {
    const { places, ended } = this.#reach(this.#places[state] ?? [], unit);
    if (ended.length > 0) return -1;
    const key = places.join();
    const known = this.#numbers.get(key) ?? this.#places.push(places) - 1;
    this.#numbers.set(key, known);
    return known;
  }
}
