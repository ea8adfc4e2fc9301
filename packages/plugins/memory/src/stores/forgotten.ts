/** The maximum number of forgotten users that this process remembers. The oldest are dropped. */
const most = 10_000;

/** The times at which users were forgotten, so that a reply that was running then does not store them again. */
export class Forgotten {
  readonly #at = new Map<string, number>();

  add(user: string, at: number): void {
    const [oldest] = this.#at.keys();
    if (this.#at.size >= most && oldest !== undefined) this.#at.delete(oldest);
    this.#at.delete(user);
    this.#at.set(user, at);
  }

  /** Returns true if the user was forgotten after this time. */
  since(user: string, time: number): boolean {
    return (this.#at.get(user) ?? Number.NEGATIVE_INFINITY) > time;
  }
}
