interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The callers of a follower that wait for a pass, in which it reads all files once. A caller that arrives during a pass
 * waits for the next one, which is sure to read all lines that existed before the call.
 */
export class Waiters {
  #coming: Waiter[] = [];
  #answered: Waiter[] = [];
  /** Keeps the process alive while a caller waits. No other timer does. */
  #alive: NodeJS.Timeout | undefined;

  /**
   * Returns a promise that settles at the end of the first pass that begins after this call. It rejects with the error
   * of that pass. Does not start a pass.
   */
  ask(): Promise<void> {
    this.#alive ??= setInterval(() => {}, 2 ** 30);
    return new Promise((resolve, reject) => this.#coming.push({ resolve, reject }));
  }

  /** True if a caller waits for the current pass or the next one. */
  get any(): boolean {
    return this.#coming.length > 0 || this.#answered.length > 0;
  }

  /** Begins a pass. Callers that arrived before it are answered at its end. */
  begin(): void {
    this.#answered.push(...this.#coming.splice(0));
  }

  /**
   * Ends a pass, and answers its callers.
   *
   * @param problem the first error of the pass, with which the callers are rejected; `undefined` if there was none
   */
  end(problem: unknown): void {
    for (const { resolve, reject } of this.#answered.splice(0)) problem === undefined ? resolve() : reject(problem);
    if (this.any) return;
    clearInterval(this.#alive);
    this.#alive = undefined;
  }

  /** Rejects all callers, including those of the next pass. */
  fail(error: unknown): void {
    this.begin();
    this.end(error);
  }
}
