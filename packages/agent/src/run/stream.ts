import { CoreError, type Delta, type Message } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { AgentError } from "../errors.js";
import { Fifo } from "../fifo.js";
import type { AgentResult } from "../result.js";
import type { RunTotals } from "../totals/totals.js";
import { captureContext, type Within } from "./async-context.js";
import { PartialOutput } from "./partial-output.js";
import type { AgentRun } from "./run.js";

/**
 * A run as a stream with one consumer. `result` reads the rest of the stream, even if the consumer pauses, and buffers
 * it for the consumer. A consumer that stops ends the run and aborts the signal of running work. The run has the async
 * context of its creation, not of its reading: spans and logs have the same parent as with `run`.
 */
export class AgentStream<Output = unknown> implements AsyncIterable<Delta, Suspended | undefined> {
  readonly #start: () => Promise<AgentRun>;
  readonly #within: Within = captureContext();
  #run: Promise<AgentRun> | undefined;
  #known: AgentRun | undefined;
  #result: Promise<AgentResult<Output>> | undefined;
  #reading: StreamReader | undefined;

  /** Use `agent.stream`. */
  constructor(start: () => Promise<AgentRun>) {
    this.#start = start;
  }

  /**
   * The result of the run. Rejects with the error if the run failed, or with the reason if it was aborted or closed.
   */
  get result(): Promise<AgentResult<Output>> {
    this.#result ??= this.#within(async () => {
      const run = await this.#begun();
      await this.#reading?.drain();
      return run.result() as Promise<AgentResult<Output>>;
    });
    return this.#result;
  }

  /** The history so far, with an answer to every tool call. Use it to continue after an abort or an error. */
  get messages(): readonly Message[] {
    return this.#known?.messages ?? [];
  }

  /** The totals so far, also of a run that failed. `undefined` before the run has begun. */
  get totals(): RunTotals | undefined {
    return this.#known?.totals;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Delta, Suspended | undefined> {
    return this.#reader();
  }

  /** Streams the text of the answer. */
  text(): AsyncIterableIterator<string, undefined> {
    return pickedOf(this.#reader(), textIn);
  }

  /**
   * Streams the structured output while it grows, for an agent with an output schema: objects and lists as far as they
   * have arrived, with the last string cut off. Values are not checked by the schema; `result` contains the checked
   * value. Each value is a new object.
   *
   * @example
   * ```ts
   * for await (const report of stream.partialOutput()) show(report.title ?? "…");
   * ```
   */
  partialOutput(): AsyncIterableIterator<Partially<Output>, undefined> {
    const output = new PartialOutput();
    return pickedOf(this.#reader(), (delta) => output.read(delta) as { readonly value: Partially<Output> } | undefined);
  }

  #reader(): StreamReader {
    return new StreamReader(
      this.#within,
      () => this.#begun(),
      () => this.result.catch(() => {}), // reported by `result`
      (reader) => {
        this.#reading = reader;
      },
      // The existing reader continues. Without one, the run has ended, and `result` rejects with the reason.
      (error) => (this.#reading === undefined ? this.result : Promise.reject(error)),
    );
  }

  #begun(): Promise<AgentRun> {
    this.#run ??= this.#within(async () => {
      this.#known = await this.#start();
      return this.#known;
    });
    return this.#run;
  }
}

/** A value whose members may still be missing. */
export type Partially<T> = T extends readonly (infer Item)[]
  ? readonly Partially<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Partially<T[Key]> }
    : T;

type Step = IteratorResult<Delta, Suspended | undefined>;

const over = { done: true, value: undefined } as const;

/**
 * Reads a run as a stream. Not a generator: `return()` of a generator waits for the current pull, and usually one is
 * pending when a client disconnects.
 */
export class StreamReader implements AsyncIterableIterator<Delta, Suspended | undefined> {
  readonly #within: Within;
  readonly #begin: () => Promise<AgentRun>;
  readonly #ended: () => Promise<unknown>;
  readonly #reads: (reader: StreamReader) => void;
  readonly #refused: (error: unknown) => Promise<unknown>;
  #run: Promise<AgentRun> | undefined;
  #deltas: AsyncIterator<Delta, Suspended | undefined> | undefined;
  #over = false;
  /** Steps that were already pulled because `result` was requested while this reader paused. */
  readonly #ahead = new Fifo<Promise<Step>>();

  /**
   * @param within the async context of the run.
   * @param ended resolves when the run has ended, and never rejects.
   * @param reads is called when this reader has become the only one of the run.
   * @param refused is called if there is nothing to read, and rejects with the reason.
   */
  constructor(
    within: Within,
    begin: () => Promise<AgentRun>,
    ended: () => Promise<unknown>,
    reads: (reader: StreamReader) => void,
    refused: (error: unknown) => Promise<unknown>,
  ) {
    this.#within = within;
    this.#begin = begin;
    this.#ended = ended;
    this.#reads = reads;
    this.#refused = refused;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<Step> {
    if (this.#over) return over;
    const deltas = this.#deltas ?? (await this.#open());
    if (deltas === undefined || this.#over) return over;
    try {
      const step = await (this.#ahead.shift() ?? this.#within(() => deltas.next()));
      if (step.done === true) await this.#end();
      return step;
    } catch (error) {
      if (this.#over) return over;
      await this.#end();
      // The stream was read to its end. `result` reports that the answer does not match the schema.
      if (AgentError.is(error) && error.code === "ERR_AGENT_OUTPUT_INVALID") return over;
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

  /** Reads to the end and buffers the rest for this reader. Never rejects. */
  async drain(): Promise<void> {
    const deltas = this.#deltas;
    if (deltas === undefined) return;
    try {
      for (let done: boolean | undefined = false; done !== true; ) {
        const step = deltas.next();
        this.#ahead.push(step);
        ({ done } = await step);
      }
    } catch {
      // reported to the reader and by `result`
    }
  }

  /** Returns the iterator, or `undefined` if the reader was closed in the meantime. */
  async #open(): Promise<AsyncIterator<Delta, Suspended | undefined> | undefined> {
    try {
      this.#run ??= this.#begin();
      const run = await this.#run;
      if (this.#over) return undefined;
      // Throws if another reader exists, or if a layer has read the stream and it failed.
      this.#deltas ??= run.outcome[Symbol.asyncIterator]();
      this.#reads(this);
      return this.#deltas;
    } catch (error) {
      if (this.#over) return undefined;
      this.#over = true;
      await this.#refused(error);
      return undefined;
    }
  }

  async #end(): Promise<void> {
    this.#over = true;
    await this.#ended();
  }
}

/** Returns an iterator of the values that `pick` returns. Skips deltas if it returns `undefined`. */
function pickedOf<T>(
  deltas: StreamReader,
  pick: (delta: Delta) => { readonly value: T } | undefined,
): AsyncIterableIterator<T, undefined> {
  const values: AsyncIterableIterator<T, undefined> = {
    async next() {
      for (;;) {
        const { done, value } = await deltas.next();
        if (done === true) return over;
        const picked = pick(value);
        if (picked !== undefined) return { done: false, value: picked.value };
      }
    },
    return: () => deltas.return(),
    [Symbol.asyncIterator]: () => values,
  };
  return values;
}

const textIn = (delta: Delta): { readonly value: string } | undefined =>
  delta.type === "part" && delta.part.type === "text" ? { value: delta.part.content } : undefined;
