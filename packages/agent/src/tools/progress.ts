import type { Suspended } from "@suite/core";
import { isError } from "../pending/json.js";
import type { TimeLimit } from "./time-limit.js";

const over = { done: true, value: undefined } as const;

/**
 * The stream of what a tool yields, and then what it returns, if that is anything. Not a generator: it would make whoever leaves it
 * wait for the pull that is under way.
 *
 * @param limit of the time in which values are waited for: not that in which nobody reads.
 * @param ended is told how the tool ended, and says what it waits for, if it asked a person.
 */
export const withReturn = (
  iterable: AsyncIterable<unknown>,
  limit: TimeLimit | undefined,
  ended: (well: boolean) => Promise<Suspended | undefined>,
): AsyncIterable<unknown, Suspended | void> => ({
  [Symbol.asyncIterator]() {
    const inner = iterable[Symbol.asyncIterator]();
    let isOver = false;
    return {
      async next() {
        if (isOver) return over;
        let step: IteratorResult<unknown, unknown>;
        try {
          const next = inner.next();
          step = await (limit?.within(next) ?? next);
        } catch (error) {
          isOver = true;
          if (limit?.passed !== undefined) inner.return?.()?.then(undefined, () => {}); // it is left behind
          const waits = await ended(false);
          if (waits === undefined) throw error;
          return { done: true, value: waits };
        }
        if (step.done !== true) return step;
        isOver = true;
        const failed = isError(step.value);
        const waits = await ended(!failed);
        if (waits !== undefined) return { done: true, value: waits };
        if (failed) throw step.value;
        return step.value === undefined ? over : { done: false, value: step.value };
      },
      async return() {
        isOver = true;
        await inner.return?.();
        return over;
      },
    };
  },
});

/** The time for which progress may keep everything else waiting, in milliseconds. */
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
