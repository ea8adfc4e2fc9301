import { CoreError, type Delta, type Suspended } from "@suite/core";
import type { AgentRun } from "./run.js";

const over = { done: true, value: undefined } as const;

/**
 * Reads a run as it streams. Not a generator: that could not be left while a pull is under way, as one mostly is when a
 * client goes away.
 */
export class StreamReader implements AsyncIterableIterator<Delta, Suspended | undefined> {
  readonly #begin: () => Promise<AgentRun>;
  readonly #ended: () => Promise<unknown>;
  #run: Promise<AgentRun> | undefined;
  #deltas: AsyncIterator<Delta, Suspended | undefined> | undefined;
  #over = false;

  /** @param ended resolves when the run has ended; never rejects. */
  constructor(begin: () => Promise<AgentRun>, ended: () => Promise<unknown>) {
    this.#begin = begin;
    this.#ended = ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Delta, Suspended | undefined>> {
    if (this.#over) return over;
    try {
      this.#run ??= this.#begin();
      const run = await this.#run;
      if (this.#over) return over;
      this.#deltas ??= run.outcome[Symbol.asyncIterator]();
      const step = await this.#deltas.next();
      if (step.done === true) await this.#end();
      return step;
    } catch (error) {
      if (this.#over) return over;
      await this.#end();
      throw error;
    }
  }

  /** Ends the run, if it has begun. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    if (this.#over || this.#run === undefined) {
      this.#over = true;
      return over;
    }
    this.#over = true;
    const run = await this.#run.catch(() => undefined);
    await run?.close(new CoreError("ERR_CANCELLED", "The consumer stopped reading."));
    await this.#ended();
    return over;
  }

  async #end(): Promise<void> {
    this.#over = true;
    await this.#ended();
  }
}

/** The text of these deltas, piece by piece. */
export function textPieces(deltas: StreamReader): AsyncIterableIterator<string, undefined> {
  const pieces: AsyncIterableIterator<string, undefined> = {
    async next() {
      for (;;) {
        const { done, value } = await deltas.next();
        if (done === true) return over;
        if (value.type === "part" && value.part.type === "text") return { done: false, value: value.part.content };
      }
    },
    return: () => deltas.return(),
    [Symbol.asyncIterator]: () => pieces,
  };
  return pieces;
}
