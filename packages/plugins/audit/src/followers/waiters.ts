interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/** Who waits for a pass over the files. Who asks during one is answered by the next, which sees what was there by then. */
export class Waiters {
  #coming: Waiter[] = [];
  #answered: Waiter[] = [];
  /** Keeps the process alive while somebody waits: no other timer does. */
  #alive: NodeJS.Timeout | undefined;

  ask(): Promise<void> {
    this.#alive ??= setInterval(() => {}, 2 ** 30);
    return new Promise((resolve, reject) => this.#coming.push({ resolve, reject }));
  }

  /** Somebody waits for this pass or the next. */
  get any(): boolean {
    return this.#coming.length > 0 || this.#answered.length > 0;
  }

  /** A pass begins. */
  begin(): void {
    this.#answered.push(...this.#coming.splice(0));
  }

  /** A pass has ended, well or with the first thing that went wrong. */
  end(problem: unknown): void {
    for (const { resolve, reject } of this.#answered.splice(0)) problem === undefined ? resolve() : reject(problem);
    if (this.any) return;
    clearInterval(this.#alive);
    this.#alive = undefined;
  }

  /** Nobody gets what he waits for. */
  fail(error: unknown): void {
    this.begin();
    this.end(error);
  }
}
