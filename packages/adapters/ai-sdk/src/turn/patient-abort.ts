import { onAbort } from "@suite/core";

/** How long tools that are at work may take to end after an abort, in milliseconds. What hangs is left behind. */
const limitMs = 1000;

/**
 * The abort of a whole turn, as `generateText` takes it: a tool that is at work comes to its end, and its result counts.
 * Nothing is asked after it.
 */
export class PatientAbort {
  readonly #controller = new AbortController();
  readonly #unfollow: () => void;
  #working = 0;
  #limit: ReturnType<typeof setTimeout> | undefined;

  /** @param caller the user's own signal. */
  constructor(readonly caller: AbortSignal) {
    this.#unfollow = onAbort(caller, () => {
      if (this.#working === 0) this.now();
      else this.#limit = setTimeout(() => this.now(), limitMs);
    });
  }

  /** Of the run. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something new is about to begin, which an abort must not let happen. */
  now(): void {
    if (this.caller.aborted) this.#controller.abort(this.caller.reason);
  }

  /** The result of a tool of the user's. */
  async tool<T>(work: PromiseLike<T>): Promise<T> {
    this.#working++;
    try {
      return await work;
    } finally {
      this.#working--;
    }
  }

  /** The same for a tool that streams. */
  async *values<T>(work: AsyncIterable<T, void>): AsyncGenerator<T, void> {
    this.#working++;
    try {
      yield* work;
    } finally {
      this.#working--;
    }
  }

  /** The turn is over. */
  close(): void {
    this.#unfollow();
    clearTimeout(this.#limit);
  }
}
