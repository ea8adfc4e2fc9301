import type { Suspended } from "@suite/core/contract";
import { isError } from "../pending/json.js";
import type { TimeLimit } from "./time-limit.js";

const over = { done: true, value: undefined } as const;

/**
 * Streams the values that a tool yields, and then its return value if it is not `undefined`. Not a generator:
 * `return()` of a generator would wait for the current pull.
 *
 * @param limit the time limit. It counts only while a value is awaited, not while the consumer is idle.
 * @param ended is called when the tool ends. Returns the suspension if the tool asked a person.
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
          if (limit?.passed !== undefined) inner.return?.()?.then(undefined, () => {}); // the tool is abandoned
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

/** The maximum time in milliseconds that progress may block the event loop. */
const turnMs = 10;

/**
 * Yields to the event loop from time to time. A tool that yields without waiting would block timers, and with them its
 * abort.
 */
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
