const over = { done: true, value: undefined } as const;

/**
 * What a tool yields, and then what it returns, if that is anything. Not a generator: it would make whoever leaves it
 * wait for the pull that is under way.
 */
export const withReturn = (iterable: AsyncIterable<unknown>): AsyncIterable<unknown, void> => ({
  [Symbol.asyncIterator]() {
    const inner = iterable[Symbol.asyncIterator]();
    let ended = false;
    return {
      async next() {
        if (ended) return over;
        const step = await inner.next();
        if (step.done !== true) return step;
        ended = true;
        return step.value === undefined ? over : { done: false, value: step.value };
      },
      async return() {
        ended = true;
        await inner.return?.();
        return over;
      },
    };
  },
});

/** How long progress may keep everything else waiting, in milliseconds. */
const turnMs = 10;

/** Lets others have their turn from time to time: a tool that yields without waiting would starve timers, and so its own abort. */
export class Pause {
  #since = Date.now();

  async due(): Promise<void> {
    if (Date.now() - this.#since < turnMs) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve);
    });
    this.#since = Date.now();
  }
}
