import type { Treatment } from "../engine.js";
import type { TextStream } from "../stream/text-stream.js";
import type { TwoPasses } from "./two-passes.js";

/**
 * The stream that redacts text in chunks with async rules. The joined results equal `redactAsync` of the whole text.
 */
export interface AsyncStream {
  /**
   * The text that is decided by now. A further chunk may come before it is settled: chunks are treated in their order.
   */
  push(chunk: string): Promise<string>;
  /** The rest. */
  end(): Promise<string>;
}

/** Two streams of one text: one goes ahead to see what will be asked. */
export class AsyncTextStream implements AsyncStream {
  readonly #passes: TwoPasses;
  readonly #ahead: TextStream;
  readonly #stream: TextStream;
  /** The last answer. After an error all that comes is that error. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(passes: TwoPasses, treatment: Treatment) {
    this.#passes = passes;
    this.#ahead = passes.trial.stream(treatment);
    this.#stream = passes.answered.stream(treatment);
  }

  push(chunk: string): Promise<string> {
    return this.#next((stream) => stream.push(chunk));
  }

  end(): Promise<string> {
    return this.#next((stream) => stream.end());
  }

  #next(step: (stream: TextStream) => string): Promise<string> {
    const next = this.#last.then(async () => {
      const wait = this.#passes.prepare(() => step(this.#ahead));
      if (wait !== undefined) await wait;
      return step(this.#stream);
    });
    this.#last = next;
    return next;
  }
}
