/** The counts of each type that was found. Never values. */
export type Counts = Readonly<Record<string, number>>;

/** Counts findings while a text, a value or a whole request is treated. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #blocked = new Set<string>();
  readonly #ignored = new Set<string>();
  #notes = 0;

  /** Grows with everything that is noted. */
  get notes(): number {
    return this.#notes;
  }

  add(type: string, blocks: boolean, count = 1): void {
    this.#notes++;
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + count);
    if (blocks) this.#blocked.add(type);
  }

  /** Adds what another one counted. */
  merge(other: Tally): void {
    for (const [type, count] of other.#counts) this.add(type, other.#blocked.has(type), count);
    for (const type of other.#ignored) this.ignore(type);
  }

  /** Notes that the recogniser of this type failed and its rule ignores failures, or that it was not called yet. */
  ignore(type: string): void {
    this.#notes++;
    this.#ignored.add(type);
  }

  /** Types that may be there and were not found. */
  get ignored(): readonly string[] {
    return [...this.#ignored];
  }

  get empty(): boolean {
    return this.#counts.size === 0;
  }

  /** The types found whose strategy is `block`. */
  get blocked(): readonly string[] {
    return [...this.#blocked];
  }

  get counts(): Counts {
    return Object.fromEntries(this.#counts);
  }
}
