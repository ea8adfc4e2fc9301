import type { Suspended } from "../contract/suspension.js";

/** The result of a consumer's `next()`: a chunk, or the end. A suspended run's end contains the pending items. */
export type Read<C> = IteratorResult<C, Suspended | undefined>;

/** The end of an answer that is not suspended. */
export const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Receives the result of one `next()`. */
export type Resolve<C> = (read: Read<C>) => void;

/** The consumer of a streamed answer: its ready chunks, and its waiting `next()`. */
export class Consumer<C> {
  /** True if the consumer received the end or an error, or has stopped reading. */
  ended = false;
  #ready: C[] = [];
  #next = 0;
  #resolve: Resolve<C> | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** True if a `next()` waits. */
  get waits(): boolean {
    return this.#resolve !== undefined;
  }
  get hasReady(): boolean {
    return this.#next < this.#ready.length;
  }

  push(chunk: C): void {
    this.#ready.push(chunk);
  }

  /**
   * Takes the first ready chunk. Call it only if `hasReady`. It moves an index, since the cost of shifting a list grows
   * with its length.
   */
  shift(): IteratorYieldResult<C> {
    const value = this.#ready[this.#next++] as C;
    if (!this.hasReady) {
      this.#ready = [];
      this.#next = 0;
    }
    return { done: false, value };
  }

  /** Stores the callbacks of a `next()` until `answer` or `release`. Only one at a time, which `iteratorOf` ensures. */
  wait(resolve: Resolve<C>, reject: (error: unknown) => void): void {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Resolves the waiting `next()`, if any. */
  readonly answer = (read: Read<C>): void => {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(read);
  };

  /** Rejects the waiting `next()`, if any. */
  readonly release = (error: unknown): void => {
    if (!this.waits) return;
    this.#resolve = undefined;
    this.ended = true;
    this.#reject?.(error);
  };
}

/**
 * Creates the iterator of an answer's only consumer. A `next()` that is called while another waits is answered after
 * it.
 *
 * @param read passes the result or the error of one `next()` to the callbacks.
 * @param stop ends the answer when the consumer stops reading. `return()` rejects with its error.
 */
export function iteratorOf<C>(
  consumer: Consumer<C>,
  read: (resolve: Resolve<C>, reject: (error: unknown) => void) => void,
  stop: () => Promise<void>,
): AsyncIterator<C, Suspended | undefined> {
  let last: Promise<Read<C>> | undefined;
  let queued = 0;
  const next = (): Promise<Read<C>> => {
    queued--;
    return new Promise(read);
  };
  return {
    next: () => {
      const idle = queued++ === 0 && !consumer.waits;
      last = idle || last === undefined ? next() : last.then(next, next);
      return last;
    },
    return: async () => {
      consumer.ended = true;
      consumer.answer(over);
      await stop();
      return over;
    },
  };
}

/**
 * Returns a function that reads one step without a promise. It returns a step that is ready. A later step is passed to
 * `resolve`, an error to `reject`.
 */
export function stepsOf<C>(
  read: (resolve: Resolve<C>, reject: (error: unknown) => void) => void,
  resolve: Resolve<C>,
  reject: (error: unknown) => void,
): () => Read<C> | undefined {
  let atOnce = false;
  let step: Read<C> | undefined;
  const onStep: Resolve<C> = (received) => {
    if (atOnce) step = received;
    else resolve(received);
  };
  return () => {
    step = undefined;
    atOnce = true;
    read(onStep, reject);
    atOnce = false;
    return step;
  };
}
