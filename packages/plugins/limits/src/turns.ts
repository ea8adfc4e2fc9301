import type { Awaitable } from "@suite/core";

/** Callers that wait for their turn, by key: first come, first served, within this process. */
export class Turns {
  readonly #last = new Map<string, Turn>();
  #waiting = 0;

  /** The number of callers that hold a turn or wait for one. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Returns true if a caller holds a turn of a key or waits for one. */
  has(key: string): boolean {
    return this.#last.has(key);
  }

  /**
   * Waits for the turn of a key, after all who asked before.
   *
   * @param maxWait milliseconds, after which it leaves the queue. So does an abort of the call; the order of the others stays.
   * @returns what ends the turn, and must be called; undefined where the time was up first.
   * @throws the reason of the abort.
   */
  take(key: string, maxWait: number, call: { readonly signal: AbortSignal }): Awaitable<(() => void) | undefined> {
    const before = this.#last.get(key);
    const turn = new Turn(before);
    this.#last.set(key, turn);
    this.#waiting++;
    const leave = () => {
      this.#waiting--;
      turn.end();
      if (before === undefined) this.#forget(key, turn);
      else void turn.over.then(() => this.#forget(key, turn));
    };
    // A promise and a signal are made where they are asked for: they cost more than a turn without a wait.
    return before === undefined
      ? leave
      : within(maxWait, call.signal, before.over).then(
          (came) => {
            if (came) return leave;
            leave();
            return undefined;
          },
          (reason: unknown) => {
            leave();
            throw reason;
          },
        );
  }

  #forget(key: string, turn: Turn): void {
    if (this.#last.get(key) === turn) this.#last.delete(key);
  }
}

/** The turn of one caller, which is over when it was ended, and all before it were. */
class Turn {
  #before: Turn | undefined;
  #over: Promise<void> | undefined;
  #ended = false;
  #end: () => void = () => {};

  constructor(before: Turn | undefined) {
    this.#before = before;
  }

  get over(): Promise<void> {
    this.#over ??= this.#before === undefined ? this.#own() : this.#before.over.then(() => this.#own());
    this.#before = undefined; // a queue that is never empty would keep all turns that ever were
    return this.#over;
  }

  end(): void {
    this.#ended = true;
    this.#end();
  }

  #own(): Promise<void> {
    return this.#ended
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#end = resolve;
        });
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
