/** The places in the sites of an automaton that a character leads to from others, and the sites that end with it. */
type Reach = (
  places: readonly number[],
  unit: number,
) => { readonly places: readonly number[]; readonly ended: readonly number[] };

/**
 * ASCII characters in the order of their trial as calm ones: letters first, digits and the dot last, since
 * sites contain them.
 */
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const tried = [
  ...ascii.filter((character) => /[a-z ]/i.test(character)),
  ...ascii.filter((character) => /[^\w .]/.test(character)),
  ...ascii.filter((character) => /[\d_.]/.test(character)),
];

/** The maximum number of calm characters that determine a state, and the maximum number of such states. */
const longestMemory = 6;
const mostCalm = 64;

/** The calm characters of ASCII: 1 for each byte of one, and for each two bytes of two. */
export interface Calm {
  readonly single: Uint8Array;
  readonly paired: Uint8Array;
}

/** Builds the tables of the calm characters. */
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

/** Finds the classes of calm characters: as many as possible, in the order of their trial. */
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
  /** The number of preceding calm characters that determine the state after them. */
  readonly memory: number;
}

/** The states that few characters lead to, numbered from that of the beginning, which is 0. */
class Graph {
  readonly #reach: Reach;
  readonly #places: (readonly number[])[];
  readonly #numbers: Map<string, number>;
  /** The next state, by state and class. -1 if a site ends there. */
  readonly #next: number[][] = [];

  constructor(begin: readonly number[], reach: Reach) {
    this.#places = [begin];
    this.#numbers = new Map([[begin.join(), 0]]);
    this.#reach = reach;
  }

  /**
   * Returns the number of characters of these classes that determine the state after them, from any beginning. Returns
   * `undefined` if a site ends among them, or if there are too many states.
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
          const following = [...new Set(set.map((state) => this.#step(state, unit)))].sort((a, b) => a - b);
          longer.set(following.join(), following);
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
