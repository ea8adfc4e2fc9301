import type { Suspended } from "../contract/suspension.js";

/** The result of one `next()` of a consumer: a chunk, or the end, with what the run waits for where it was suspended. */
export type Read<C> = IteratorResult<C, Suspended | undefined>;

/** The end of an answer that was not suspended. */
export const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A callback that is given the result of one `next()`. */
export type Resolve<C> = (read: Read<C>) => void;

/** The consumer of a streamed answer: chunks that are ready for it, and its `next()` that waits for one. */
export class Consumer<C> {
  /** Whether the consumer was given the end, or an error, or has stopped reading. */
  ended = false;
  #ready: C[] = [];
  #next = 0;
  #resolve: Resolve<C> | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /** Whether a `next()` waits. */
  get waits(): boolean {
    return this.#resolve !== undefined;
  }
  get hasReady(): boolean {
    return this.#next < this.#ready.length;
  }

  push(chunk: C): void {
    this.#ready.push(chunk);
  }

  /** Takes the first chunk that is ready; call it only where `hasReady`. An index moves, since shifting a long list costs its length. */
  shift(): IteratorYieldResult<C> {
    const value = this.#ready[this.#next++] as C;
    if (!this.hasReady) {
      this.#ready = [];
      this.#next = 0;
    }
    return { done: false, value };
  }

  /** Keeps the callbacks of a `next()` until `answer` or `release`. One at a time: `iteratorOf` sees to that. */
  wait(resolve: Resolve<C>, reject: (error: unknown) => void): void {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Resolves the `next()` that waits, if one does. */
  readonly answer = (read: Read<C>): void => {
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(read);
  };

  /** Rejects the `next()` that waits, if one does. */
  readonly release = (error: unknown): void => {
    if (!this.waits) return;
    this.#resolve = undefined;
    this.ended = true;
    this.#reject?.(error);
  };
}

/**
 * The iterator of the one consumer of an answer. A `next()` that is called while another waits is answered after it.
 *
 * @param read gets the result of one `next()`, or its error, to the callbacks.
 * @param stop ends the answer, when its consumer stops reading; `return()` rejects with what it throws.
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
 * A function that reads one step without a promise: gives the step that is there at once; a later one goes to `resolve`, an
 * error to `reject`.
 */
export function stepsOf<C>(
  read: (resolve: Resolve<C>, reject: (error: unknown) => void) => void,
  resolve: Resolve<C>,
  reject: (error: unknown) => void,
): () => Read<C> | undefined {
  let atOnce = false;
  let step: Read<C> | undefined;
  const hear: Resolve<C> = (told) => {
    if (atOnce) step = told;
    else resolve(told);
  };
  return () => {
    step = undefined;
    atOnce = true;
    read(hear, reject);
    atOnce = false;
    return step;
  };
}
