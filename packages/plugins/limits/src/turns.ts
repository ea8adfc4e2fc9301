/** Callers that wait for their turn, by key: first come, first served, within this process. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();
  #waiting = 0;

  /** The number of callers that hold a turn or wait for one. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Waits for the turn of a key, after all who asked before.
   *
   * @param maxWait milliseconds, after which it leaves the queue. So does an abort of the call; the order of the others stays.
   * @returns what ends the turn, and must be called; undefined where the time was up first.
   * @throws the reason of the abort.
   */
  async take(key: string, maxWait: number, call: { readonly signal: AbortSignal }): Promise<(() => void) | undefined> {
    const before = this.#last.get(key);
    let end: () => void = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const after = before === undefined ? mine : before.then(() => mine);
    this.#last.set(key, after);
    this.#waiting++;
    const leave = () => {
      this.#waiting--;
      end();
      void after.then(() => this.#last.get(key) === after && this.#last.delete(key));
    };
    let came = false;
    try {
      // A signal is made where one is asked for, which costs more than a turn without a wait.
      came = before === undefined || (await within(maxWait, call.signal, before));
      return came ? leave : undefined;
    } finally {
      if (!came) leave();
    }
  }
}

/** Waits so many milliseconds. Rejects with the signal's reason, and leaves no timer. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await within(milliseconds, signal);
}

/** Whether the promise was fulfilled within the time. Rejects with the signal's reason. */
function within(milliseconds: number, signal: AbortSignal, promise?: Promise<void>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      settle();
    };
    const abort = () => done(() => reject(signal.reason));
    const timer = setTimeout(() => done(() => resolve(false)), milliseconds);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    void promise?.then(() => done(() => resolve(true)));
  });
}
