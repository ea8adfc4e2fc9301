/** A cache of keys with an expiry time. Concurrent callers share one lookup. */
export class RecentKeys<K> {
  readonly #lookUp: (name: string) => Promise<K>;
  readonly #milliseconds: number;
  readonly #most: number;
  readonly #known = new Map<string, { readonly key: K; readonly until: number }>();
  readonly #lookups = new Map<string, Promise<K>>();

  constructor(lookUp: (name: string) => Promise<K>, milliseconds: number, most: number) {
    this.#lookUp = lookUp;
    this.#milliseconds = milliseconds;
    this.#most = most;
  }

  /** Returns the key, without a promise if it is cached. */
  get(name: string): K | Promise<K> {
    const known = this.#known.get(name);
    if (known !== undefined && performance.now() < known.until) return known.key;
    return this.#lookups.get(name) ?? this.#startLookup(name);
  }

  /** Removes a key, and ignores the result of a pending lookup, which may be outdated. */
  forget(name: string): void {
    this.#known.delete(name);
    this.#lookups.delete(name);
  }

  #startLookup(name: string): Promise<K> {
    const until = performance.now() + this.#milliseconds;
    const lookup = this.#lookUp(name);
    this.#lookups.set(name, lookup);
    const done = (key?: K): void => {
      if (this.#lookups.get(name) !== lookup) return;
      this.#lookups.delete(name);
      if (key !== undefined) this.#keep(name, { key, until });
    };
    lookup.then(done, () => done());
    return lookup;
  }

  #keep(name: string, entry: { readonly key: K; readonly until: number }): void {
    // Added at the end, so that the oldest lookup is removed first.
    this.#known.delete(name);
    this.#known.set(name, entry);
    if (this.#known.size <= this.#most) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}
