/** One erasure of a user. The last one of a list has no user and no successor yet. */
interface Erasure {
  user?: string;
  next?: Erasure;
}

/**
 * The erasures that a plugin was asked for, as a linked list. A run holds the end of the list at its beginning, so that
 * an erasure is kept only while runs that began before it are in memory.
 */
export class Erasures {
  #last: Erasure = {};
  /** The running vault operations, and their users. */
  readonly #operations = new Map<Promise<void>, string>();

  /** Adds an erasure. Returns a promise for the end of the user's vault operations that began before it. */
  async add(user: string): Promise<void> {
    const next: Erasure = {};
    this.#last.user = user;
    this.#last.next = next;
    this.#last = next;
    await Promise.allSettled(
      [...this.#operations].flatMap(([operation, owner]) => (owner === user ? [operation] : [])),
    );
  }

  /** Makes later erasures of the user wait for a vault operation. */
  wait(user: string, operation: Promise<void>): void {
    this.#operations.set(operation, user);
    const done = (): void => void this.#operations.delete(operation);
    operation.then(done, done);
  }

  /** Returns a function that returns true if the user was erased since `since` was called. */
  since(user: string): () => boolean {
    let at = this.#last;
    let erased = false;
    return () => {
      for (; at.next !== undefined; at = at.next) erased ||= user !== "" && at.user === user;
      return erased;
    };
  }
}
