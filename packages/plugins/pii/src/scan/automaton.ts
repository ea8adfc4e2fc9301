import { Alphabet, type Site } from "./site.js";

/** The entry of a table that says: where a character leads is not known yet. */
const unknown = -1;
/**
 * Finds where sites end, in one step a character, however many sites there are: a deterministic automaton, whose states
 * are made when a text first leads there. A state is the set of places in sites that have been reached.
 */
export class Automaton {
  readonly classes: Uint8Array;
  /** The next state, by a state and a class; below zero where a site ends there, or where it is not known yet. */
  table = new Int32Array(4096).fill(unknown);
  /** The number of places of the table that a state has. */
  readonly #width: number;
  readonly #alphabet: Alphabet;
  /** The site that each step belongs to, of all steps of all sites, one behind the other. */
  readonly #owners: number[] = [];
  readonly #firsts: readonly number[];
  readonly #states: { readonly places: readonly number[]; readonly ended: readonly number[] }[] = [];
  readonly #known = new Map<string, number>();

  constructor(sites: readonly Site[]) {
    this.#alphabet = new Alphabet(sites);
    this.classes = this.#alphabet.classes;
    this.#width = this.#alphabet.members.length;
    this.#firsts = this.#alphabet.sites.map(({ steps }, site) => {
      const first = this.#owners.length;
      for (let step = 0; step < steps.length; step++) this.#owners.push(site);
      return first;
    });
    this.#state(this.#begin(false), []);
  }

  /** The state to which a character of the class leads, in the form in which `table` has those without an end. */
  step(state: number, unit: number): number {
    const known = this.table[state + unit] ?? unknown;
    if (known !== unknown) return known >= 0 ? known : -2 - known;
    const { places } = this.#states[state / this.#width] ?? { places: [] };
    const reached = new Set<number>();
    const ended = new Set<number>();
    const member = this.#alphabet.members[unit] ?? [];
    for (const place of places) this.#advance(place, member, reached, ended);
    const next = this.#state([...reached, ...this.#begin(member[0] === true)], [...ended]);
    this.table[state + unit] = ended.size > 0 ? -2 - next : next;
    return next;
  }

  /** The sites that end in a state. */
  ended(state: number): readonly number[] {
    return this.#states[state / this.#width]?.ended ?? [];
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

  #state(places: readonly number[], ended: readonly number[]): number {
    const sorted = [...new Set(places)].sort((a, b) => a - b);
    const key = `${sorted.join()};${ended.join()}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const state = (this.#states.push({ places: sorted, ended }) - 1) * this.#width;
    this.#known.set(key, state);
    if (state + this.#width > this.table.length) {
      const table = new Int32Array(this.table.length * 2).fill(unknown);
      table.set(this.table);
      this.table = table;
    }
    return state;
  }
}
