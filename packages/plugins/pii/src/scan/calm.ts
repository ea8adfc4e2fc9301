/** The places in the sites of an automaton that a character leads to from others, and the sites that end with it. */
type Reach = (
  places: readonly number[],
  unit: number,
) => { readonly places: readonly number[]; readonly ended: readonly number[] };

/** The characters of ASCII, in the order in which they are tried as calm ones: letters first, and digits and the dot last, which sites are about. */
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const tried = [
  ...ascii.filter((character) => /[a-z ]/i.test(character)),
  ...ascii.filter((character) => /[^\w .]/.test(character)),
  ...ascii.filter((character) => /[\d_.]/.test(character)),
];

/** The most calm characters that a state may depend on, and the most states that they may lead to. */
const longestMemory = 6;
const mostCalm = 64;

/** The calm characters of ASCII: 1 for each byte of one, and for each two bytes of two. */
export interface Calm {
  readonly single: Uint8Array;
  readonly paired: Uint8Array;
}

/** The tables of the calm characters that `isCalm` tells. */
export function calmOf(isCalm: (code: number) => boolean): Calm {
  const single = Uint8Array.from({ length: 256 }, (_, code) => (code < 128 && isCalm(code) ? 1 : 0));
  const paired = new Uint8Array(65536);
  for (let first = 0; first < 128; first++) {
    if (single[first] === 0) continue;
    // The same in either order of bytes.
    for (let second = 0; second < 128; second++) paired[(first << 8) | second] = single[second] ?? 0;
  }
  return { single, paired };
}

/** The classes of calm characters: as many as can be, in the order in which they are tried. */
export function findCalm(classes: Uint8Array, begin: readonly number[], reach: Reach): CalmUnits {
  const graph = new Graph(begin, reach);
  let calm: CalmUnits = { units: new Set(), memory: 0 };
  for (const unit of new Set(tried.map((character) => classes[character.charCodeAt(0)] ?? 0))) {
    const units = new Set([...calm.units, unit]);
    const memory = graph.memoryOf(units);
    if (memory !== undefined) calm = { units, memory };
  }
  return calm;
}

interface CalmUnits {
  readonly units: ReadonlySet<number>;
  /** The number of calm characters that the state behind them depends on. */
  readonly memory: number;
}

/** The states that few characters lead to, numbered from that of the beginning, which is 0. */
class Graph {
  readonly #reach: Reach;
  readonly #places: (readonly number[])[];
  readonly #numbers: Map<string, number>;
  /** The next state, by state and class; -1 where a site ends. */
  readonly #next: number[][] = [];

  constructor(begin: readonly number[], reach: Reach) {
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
