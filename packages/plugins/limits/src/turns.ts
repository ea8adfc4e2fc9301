import type { Awaitable } from "@suite/core";
import { inTime, late } from "@suite/kit/time";

/** Queues the calls of each key in order of arrival, within this process. */
export class Turns {
  readonly #last = new Map<string, Turn>();
  readonly #waitingFor = new Map<string, number>();
  #waiting = 0;

  /** The number of calls that wait or are at the head of a queue. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Returns true if a call of this key waits. */
  hasWaiting(key: string): boolean {
    return this.#waitingFor.has(key);
  }

  /** Takes the next place in the queue of a key. The caller must call `end` of the turn in any case. */
  enter(key: string): Turn {
    const before = this.#last.get(key);
    const isFirst = before === undefined; // a closure over `before` would retain all turns of a queue that is never empty
    const turn = new Turn(before, {
      waits: () => this.#count(key, 1),
      ended: (waited) => {
        if (waited) this.#count(key, -1);
        if (isFirst) this.#forget(key, turn);
        else void turn.over.then(() => this.#forget(key, turn));
      },
    });
    this.#last.set(key, turn);
    return turn;
  }

  #count(key: string, by: 1 | -1): void {
    this.#waiting += by;
    const waiting = (this.#waitingFor.get(key) ?? 0) + by;
    if (waiting === 0) this.#waitingFor.delete(key);
    else this.#waitingFor.set(key, waiting);
  }

  #forget(key: string, turn: Turn): void {
    if (this.#last.get(key) === turn) this.#last.delete(key);
  }
}

interface TurnListener {
  waits(): void;
  ended(waited: boolean): void;
}

/** The turn of one call. It is over when it and all turns before it have ended. */
class Turn {
  readonly #listener: TurnListener;
  #before: Turn | undefined;
  /** The promise that `over` returns, created on first use. */
  #over: Promise<void> | undefined;
  #waits = false;
  #ended = false;
  #end: () => void = () => {};

  constructor(before: Turn | undefined, listener: TurnListener) {
    this.#before = before;
    this.#listener = listener;
  }

  /** Resolves when this turn and all turns before it have ended. */
  get over(): Promise<void> {
    this.#over ??=
      this.#before === undefined
        ? this.#own()
        : this.#before.over.then(() => {
            this.#before = undefined; // otherwise a queue that is never empty retains all its turns
            return this.#own();
          });
    return this.#over;
  }

  /**
   * Waits until all turns before this one are over.
   *
   * @param milliseconds the longest wait.
   * @returns true at once if there are none before it, or a promise that is false if the time was up first.
   * @throws the reason of the abort.
   */
  wait(milliseconds: number, signal: AbortSignal): Awaitable<boolean> {
    this.#waits = true;
    this.#listener.waits();
    return this.#before === undefined || inTime(this.#before.over, milliseconds, signal).then((end) => end !== late);
  }

  /** Ends the turn. An end before its turn leaves the order of the others unchanged. */
  end(): void {
    this.#ended = true;
    this.#end();
    this.#listener.ended(this.#waits);
  }

  #own(): Promise<void> {
    return this.#ended
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#end = resolve;
        });
  }
}
