/** Users of whom it is kept in this process that they were forgotten: of more, the oldest are let go. */
const most = 10_000;

/** The times at which users were forgotten, so that no reply that was under way then brings them back. */
export class Forgotten {
  readonly #at = new Map<string, number>();

  add(user: string, at: number): void {
    const [oldest] = this.#at.keys();
    if (this.#at.size >= most && oldest !== undefined) this.#at.delete(oldest);
    this.#at.delete(user);
    this.#at.set(user, at);
  }

  /** Whether a user was forgotten after this time. */
  since(user: string, time: number): boolean {
    return (this.#at.get(user) ?? Number.NEGATIVE_INFINITY) > time;
  }
}
