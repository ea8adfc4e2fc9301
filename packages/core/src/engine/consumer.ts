import type { Suspended } from "../contract/call.js";

/** The step that a consumer is given for one pull. */
export type Read<C> = IteratorResult<C, Suspended | undefined>;

export const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** The consumer's side of an answer: what is ready for it, and the pull that it waits for. */
export class Consumer<C> {
  /** It has heard of the end. */
  told = false;
  #ready: C[] = [];
  #next = 0;
  #resolve: ((read: Read<C>) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  get waits(): boolean {
    return this.#resolve !== undefined;
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

  wait(): Promise<Read<C>> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Answers the pull that waits, if one does. */
  answer(read: Read<C> | Promise<Read<C>>): void {
    const resolve = this.#resolve as ((read: Read<C> | Promise<Read<C>>) => void) | undefined;
    this.#resolve = undefined;
    resolve?.(read);
  }

  /** Lets it go with an error, if it waits. */
  release(error: unknown): void {
    if (!this.waits) return;
    this.#resolve = undefined;
    this.told = true;
    this.#reject?.(error);
  }
}
