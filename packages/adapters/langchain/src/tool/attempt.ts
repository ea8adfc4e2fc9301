import type { GraphInterrupt } from "@langchain/langgraph";
import type { Outcome, Settlement } from "@suite/core";
import type { Answer } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { reasonOf } from "@suite/core/framework";
import { deferred } from "../async/deferred.js";
import { Queue } from "../async/queue.js";
import { givenValue, isFailure, toolValueOf, withValue } from "../messages/tool-value.js";

type ToolOutcome = Outcome<unknown, unknown>;

/** A tool that waits: its pending calls, and the interrupt for LangGraph. */
export interface Waiting extends Suspended {
  readonly error: GraphInterrupt;
}

/** A function that writes a chunk to streams of the mode `custom`. */
export type Write = (chunk: unknown) => void;

/**
 * One attempt to run the tool. LangChain sends a tool's result to callbacks and streams, and creates a message from it,
 * before a middleware receives it. So the value waits inside the tool until the layers have processed it.
 */
export class ToolAttempt {
  readonly #given = deferred<Answer<"tool">>();
  readonly #outcome = deferred<ToolOutcome>();

  /** @param waits returns the suspension if an error only means that the tool waits. */
  constructor(readonly waits: (error: unknown) => Promise<Waiting | undefined>) {}

  /** The answer of the tool, for the layers. */
  get given(): Promise<Answer<"tool">> {
    return this.#given.promise;
  }

  /** Sets the outcome of the layers. */
  answer(outcome: ToolOutcome): void {
    this.#outcome.resolve(outcome);
  }

  /** Fails the attempt, because the layers failed or retried. */
  fail(error: unknown): void {
    this.#outcome.reject(error);
  }

  /**
   * Returns the tool's result, as its `_call`. For layers, chunks that it writes are streamed before its result.
   *
   * @param execute runs the tool with a function to write chunks.
   */
  async call(execute: (write: Write) => unknown, write: Write | undefined): Promise<unknown> {
    const progress = new Queue<unknown, Suspended>();
    let writing: Promise<unknown> | undefined;
    const tell = (chunk: unknown): void => {
      progress.push(chunk);
      if (writing !== undefined) return;
      this.#given.resolve({ stream: progress });
      writing = this.#written(write ?? (() => {}));
      writing.catch(() => {}); // reported below
    };
    let given: unknown;
    let value: unknown;
    let waiting: Waiting | undefined;
    try {
      given = await execute(tell);
      if (isGenerator(given) && writing === undefined) {
        this.#given.resolve({ stream: withReturned(given) });
        return lastReturned(await this.#outcome.promise);
      }
      value = toolValueOf(given);
      if (writing === undefined) this.#given.resolve(isFailure(given) ? { value, isError: true } : { value });
      progress.push(value);
      progress.end();
    } catch (error) {
      waiting = await this.waits(error);
      if (waiting === undefined) this.#given.reject(error);
      else this.#given.resolve({ suspended: waiting.suspended });
      progress.end(waiting === undefined ? { error } : { value: { suspended: waiting.suspended } });
    }
    writing ??= this.#outcome.promise.then((outcome) => outcome.final());
    if (waiting === undefined) return givenValue(withValue(given, value, await writing));
    await writing.catch(() => {}); // reported by the settlement
    return givenValue(answerOf(await (await this.#outcome.promise).settled, waiting.error));
  }

  /** Writes the chunks that the layers pass. The last one is the result. */
  async #written(write: Write): Promise<unknown> {
    const chunks = lastReturned(await this.#outcome.promise);
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) return step.value;
      write(step.value);
    }
  }
}

/** Returns the answer of a layer that replaces a waiting tool. */
export function answerOf(settlement: Settlement<unknown>, waits: unknown): unknown {
  if (settlement.status === "completed") return settlement.final;
  if (settlement.status === "suspended") throw waits;
  throw reasonOf(settlement);
}

/** Streams a tool with progress: for layers, its last chunk is the result. */
async function* withReturned(given: AsyncGenerator<unknown, unknown>): AsyncGenerator<unknown, void> {
  yield await (yield* given);
}

/** Streams the progress after the layers. The last chunk is the result only if the tool completed. */
async function* lastReturned(outcome: ToolOutcome): AsyncGenerator<unknown, unknown> {
  const chunks = outcome[Symbol.asyncIterator]();
  let last: { readonly chunk: unknown } | undefined;
  try {
    for (;;) {
      const step = await chunks.next();
      if (step.done === true && step.value === undefined) return givenValue(last?.chunk);
      if (last !== undefined) yield last.chunk;
      if (step.done === true) return undefined;
      last = { chunk: step.value };
    }
  } catch (error) {
    if (last !== undefined) yield last.chunk;
    throw error;
  }
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
