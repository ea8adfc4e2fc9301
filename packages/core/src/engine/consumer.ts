import type { Suspended } from "../contract/suspension.js";

/** The step that a consumer is given for one pull. */
export type Read<C> = IteratorResult<C, Suspended | undefined>;

export const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A listener that is given the answer to a pull. */
export type Told<C> = (read: Read<C>) => void;

/** The consumer's side of an answer: what is ready for it, and the pull that it waits for. */
export class Consumer<C> {
  /** It has heard of the end. */
  told = false;
  #ready: C[] = [];
  #next = 0;
  #told: Told<C> | undefined;
  #failed: ((error: unknown) => void) | undefined;

  get waits(): boolean {
    return this.#told !== undefined;
  }
  get hasReady(): boolean {
    return this.#next < this.#ready.length;
  }

  push(chunk: C): void {
    this.#ready.push(chunk);
  }

  /** The first chunk that is ready. A moving index: shifting a long list costs its length each time. */
  shift(): IteratorYieldResult<C> {
    const value = this.#ready[this.#next++] as C;
    if (!this.hasReady) {
      this.#ready = [];
      this.#next = 0;
    }
    return { done: false, value };
  }

  wait(told: Told<C>, failed: (error: unknown) => void): void {
    this.#told = told;
    this.#failed = failed;
  }

  /** Answers the pull that waits, if one does. */
  readonly answer = (read: Read<C>): void => {
    const told = this.#told;
    this.#told = undefined;
    told?.(read);
  };

  /** Lets it go with an error, if it waits. */
  readonly release = (error: unknown): void => {
    if (!this.waits) return;
    this.#told = undefined;
    this.told = true;
    this.#failed?.(error);
  };
}

/**
 * The iterator of one consumer. Pulls that come while another waits are answered in turn.
 *
 * @param read one step of the answer.
 * @param stop what ends the answer when its consumer stops reading.
 */
export function iteratorOf<C>(
  consumer: Consumer<C>,
  read: (told: Told<C>, failed: (error: unknown) => void) => void,
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
      consumer.told = true;
      consumer.answer(over);
      await stop();
      return over;
    },
  };
}
