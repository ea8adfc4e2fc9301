/** How often each type was found. Never values. */
export type Counts = Readonly<Record<string, number>>;

/** Counts findings while a text, a value or a whole request is treated. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #blocked = new Set<string>();

  add(type: string, blocks: boolean, count = 1): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + count);
    if (blocks) this.#blocked.add(type);
  }

  /** Adds what another one counted. */
  merge(other: Tally): void {
    for (const [type, count] of other.#counts) this.add(type, other.#blocked.has(type), count);
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
