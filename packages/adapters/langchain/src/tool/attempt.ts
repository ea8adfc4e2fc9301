import type { GraphInterrupt } from "@langchain/langgraph";
import type { Outcome, Settlement } from "@suite/core";
import type { Answer } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { reasonOf } from "@suite/core/framework";
import { deferred } from "../async/deferred.js";
import { Queue } from "../async/queue.js";
import { isFailure, langchainValue, toolValueOf, withValue } from "../messages/tool-value.js";

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
  readonly #answer = deferred<Answer<"tool">>();
  readonly #outcome = deferred<ToolOutcome>();

  /** @param waits returns the suspension if an error only means that the tool waits. */
  constructor(readonly waits: (error: unknown) => Promise<Waiting | undefined>) {}

  /** The answer of the tool, for the layers. */
  get toolAnswer(): Promise<Answer<"tool">> {
    return this.#answer.promise;
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
    const report = (chunk: unknown): void => {
      progress.push(chunk);
      if (writing !== undefined) return;
      this.#answer.resolve({ stream: progress });
      writing = this.#written(write ?? (() => {}));
      writing.catch(() => {}); // reported below
    };
    let returned: unknown;
    let value: unknown;
    let waiting: Waiting | undefined;
    try {
      returned = await execute(report);
      if (isGenerator(returned) && writing === undefined) {
        this.#answer.resolve({ stream: withReturned(returned) });
        return lastReturned(await this.#outcome.promise);
      }
      value = toolValueOf(returned);
      if (writing === undefined) this.#answer.resolve(isFailure(returned) ? { value, isError: true } : { value });
      progress.push(value);
      progress.end();
    } catch (error) {
      waiting = await this.waits(error);
      if (waiting === undefined) this.#answer.reject(error);
      else this.#answer.resolve({ suspended: waiting.suspended });
      progress.end(waiting === undefined ? { error } : { value: { suspended: waiting.suspended } });
    }
    writing ??= this.#outcome.promise.then((outcome) => outcome.final());
    if (waiting === undefined) return langchainValue(withValue(returned, value, await writing));
    await writing.catch(() => {}); // reported by the settlement
    return langchainValue(answerOf(await (await this.#outcome.promise).settled, waiting.error));
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
async function* withReturned(generator: AsyncGenerator<unknown, unknown>): AsyncGenerator<unknown, void> {
  yield await (yield* generator);
}

/** Streams the progress after the layers. The last chunk is the result only if the tool completed. */
async function* lastReturned(outcome: ToolOutcome): AsyncGenerator<unknown, unknown> {
  const chunks = outcome[Symbol.asyncIterator]();
  let last: { readonly chunk: unknown } | undefined;
  try {
    for (;;) {
      const step = await chunks.next();
      if (step.done === true && step.value === undefined) return langchainValue(last?.chunk);
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
