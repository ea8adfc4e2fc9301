interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The callers of a follower that wait until it has read all files once: one pass. A caller that comes during a pass waits for the
 * next one, which is sure to see what was there when it came.
 */
export class Waiters {
  #coming: Waiter[] = [];
  #answered: Waiter[] = [];
  /** Keeps the process alive while somebody waits: no other timer does. */
  #alive: NodeJS.Timeout | undefined;

  /** A promise of the end of the first pass that begins after this call; it rejects with what went wrong in it. Starts none itself. */
  ask(): Promise<void> {
    this.#alive ??= setInterval(() => {}, 2 ** 30);
    return new Promise((resolve, reject) => this.#coming.push({ resolve, reject }));
  }

  /** Whether a caller waits, for the pass that is under way or for the next one. */
  get any(): boolean {
    return this.#coming.length > 0 || this.#answered.length > 0;
  }

  /** Begins a pass: callers that came before it are answered at its end. */
  begin(): void {
    this.#answered.push(...this.#coming.splice(0));
  }

  /** Ends a pass, and answers its callers. @param problem the first error of the pass, with which they are rejected; undefined where there was none */
  end(problem: unknown): void {
    for (const { resolve, reject } of this.#answered.splice(0)) problem === undefined ? resolve() : reject(problem);
    if (this.any) return;
    clearInterval(this.#alive);
    this.#alive = undefined;
  }

  /** Rejects all callers, also those of the next pass. */
  fail(error: unknown): void {
    this.begin();
    this.end(error);
  }
}
