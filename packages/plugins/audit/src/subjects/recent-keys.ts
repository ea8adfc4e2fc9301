/** The keys that were looked up lately, for a while; whoever asks at the same time waits for the same answer. */
export class RecentKeys<K> {
  readonly #lookUp: (name: string) => Promise<K>;
  readonly #milliseconds: number;
  readonly #most: number;
  readonly #known = new Map<string, { readonly key: K; readonly until: number }>();
  readonly #asked = new Map<string, Promise<K>>();

  constructor(lookUp: (name: string) => Promise<K>, milliseconds: number, most: number) {
    this.#lookUp = lookUp;
    this.#milliseconds = milliseconds;
    this.#most = most;
  }

  /** The key, at once where it is known. */
  get(name: string): K | Promise<K> {
    const known = this.#known.get(name);
    if (known !== undefined && performance.now() < known.until) return known.key;
    return this.#asked.get(name) ?? this.#ask(name);
  }

  /** Forgets a key, also an answer that is on its way: it may be of before. */
  forget(name: string): void {
    this.#known.delete(name);
    this.#asked.delete(name);
  }

  #ask(name: string): Promise<K> {
    const until = performance.now() + this.#milliseconds;
    const asked = this.#lookUp(name);
    this.#asked.set(name, asked);
    const done = (key?: K): void => {
      if (this.#asked.get(name) !== asked) return;
      this.#asked.delete(name);
      if (key !== undefined) this.#keep(name, { key, until });
    };
    asked.then(done, () => done());
    return asked;
  }

  #keep(name: string, entry: { readonly key: K; readonly until: number }): void {
    // Behind all others: what was asked for first, goes first.
    this.#known.delete(name);
    this.#known.set(name, entry);
    if (this.#known.size <= this.#most) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }
}
