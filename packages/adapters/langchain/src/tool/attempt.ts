import type { GraphInterrupt } from "@langchain/langgraph";
import type { Answer, Outcome, Settlement, Suspended } from "@suite/core";
import { reasonOf } from "@suite/core/framework";
import { deferred } from "../async/deferred.js";
import { Queue } from "../async/queue.js";
import { givenValue, isFailure, toolValueOf, withValue } from "../messages/tool-value.js";

type ToolOutcome = Outcome<unknown, unknown>;

/** A tool that waits: what for, and how LangGraph is told. */
export interface Waiting extends Suspended {
  readonly error: GraphInterrupt;
}

/** A function that gives a chunk to whoever streams the mode `custom`. */
export type Write = (chunk: unknown) => void;

/**
 * One attempt: the framework is let run the tool. LangChain tells callbacks and streams what a tool gave, and makes a message
 * of it, before a middleware has it. So the value waits inside of the tool until the layers have had it.
 */
export class ToolAttempt {
  readonly #given = deferred<Answer<"tool">>();
  readonly #outcome = deferred<ToolOutcome>();

  /** @param waits says of an error that it only means that the tool waits. */
  constructor(readonly waits: (error: unknown) => Promise<Waiting | undefined>) {}

  /** The answer of the tool, for the layers. */
  get given(): Promise<Answer<"tool">> {
    return this.#given.promise;
  }

  /** Takes the outcome that the layers made of it. */
  answer(outcome: ToolOutcome): void {
    this.#outcome.resolve(outcome);
  }

  /** Fails the attempt: the layers failed, or asked again. */
  fail(error: unknown): void {
    this.#outcome.reject(error);
  }

  /**
   * The tool's result, in place of its own `_call`. What it writes while it runs is, for the layers, what streams before its result.
   *
   * @param execute is given what to write with.
   */
  async call(execute: (write: Write) => unknown, write: Write | undefined): Promise<unknown> {
    const progress = new Queue<unknown, Suspended>();
    let writing: Promise<unknown> | undefined;
    const tell = (chunk: unknown): void => {
      progress.push(chunk);
      if (writing !== undefined) return;
      this.#given.resolve({ stream: progress });
      writing = this.#written(write ?? (() => {}));
      writing.catch(() => {}); // told below
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
    await writing.catch(() => {}); // told by the settlement
    return givenValue(answerOf(await (await this.#outcome.promise).settled, waiting.error));
  }

  /** Writes what the layers let through, as they do; the result is the last of it. */
  async #written(write: Write): Promise<unknown> {
    const chunks = lastReturned(await this.#outcome.promise);
    for (;;) {
      const step = await chunks.next();
      if (step.done === true) return step.value;
      write(step.value);
    }
  }
}

/** The answer of a layer in place of a tool that waits. */
export function answerOf(settlement: Settlement<unknown>, waits: unknown): unknown {
  if (settlement.status === "completed") return settlement.final;
  if (settlement.status === "suspended") throw waits;
  throw reasonOf(settlement);
}

/** A tool that tells of its progress: for layers, its last chunk is the result. */
async function* withReturned(given: AsyncGenerator<unknown, unknown>): AsyncGenerator<unknown, void> {
  yield await (yield* given);
}

/** Progress with its result, on the way back: the last chunk is the result only where the tool came to one. */
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
