import type { Settlement, Stage } from "../contract/outcome.js";
import type { Suspended } from "../contract/suspension.js";
import type { Codec } from "./codec.js";
import { thrown } from "./ending.js";
import { limited } from "./limit.js";

type Step<C> = IteratorResult<C, Suspended | void>;
/**
 * The maximum number of steps that `peek` buffers: a stream of events only, such as audio, must not wait for its end.
 */
const MOST_AHEAD = 16;

type Steps<C> = AsyncIterator<C, Suspended | void> | Iterator<C, Suspended | void>;

/** An answer of a layer or of the core. */
export type Source =
  | { readonly value: unknown; readonly isError?: boolean }
  | { readonly stream: AsyncIterable<unknown, Suspended | void> }
  | Suspended;

type Pull<C> = () => Step<C> | Promise<Step<C>>;

/** The source of an answer: the chunks of a plain value, a stream, or a suspension. */
export class Upstream<C, F> {
  /** The plain value, if the answer is one. */
  readonly value: F | undefined;
  #iterator: Steps<C> | undefined;
  /** The steps that `peek` has pulled and the consumer has not read yet, in order. */
  #peeked: (Step<C> | Promise<Step<C>>)[] | undefined;
  #reading = false;
  #finished = false;
  /** The settlement of the inner call, if the source is its answer. */
  #settled: Promise<unknown> | undefined;
  readonly #open: () => Steps<C>;

  constructor(answer: Source, codec: Codec<C, F>) {
    if ("stream" in answer) {
      const stream = answer.stream as AsyncIterable<C, Suspended | void> & { readonly settled?: Promise<unknown> };
      this.#settled = stream.settled;
      this.#open = () => stream[Symbol.asyncIterator]();
    } else if ("value" in answer) {
      const value = answer.value as F;
      this.value = value;
      this.#open = () => codec.explode(value).values();
    } else {
      this.#open = () => ({ next: () => ({ done: true, value: answer }) });
    }
  }

  /**
   * Returns a function that pulls one step. It returns a step that is ready. A later step is passed to `stepped`, an
   * error to `failed`. A source without wrapping stages costs one additional promise per step.
   */
  reader(
    stages: readonly Stage<C, F>[],
    stepped: (step: Step<C>) => void,
    failed: (error: unknown) => void,
  ): () => Step<C> | undefined {
    const wrapped = stages.some(({ around }) => around !== undefined);
    const pull = wrapped ? this.#puller(stages) : () => this.#next();
    const onStep = wrapped ? stepped : (step: Step<C>) => stepped(this.#seen(step));
    const broke = wrapped ? failed : (error: unknown) => failed(this.#over(error));
    return () => {
      this.#reading = true;
      const step = this.#peeked?.shift() ?? pull();
      if (!("then" in step)) return wrapped ? step : this.#seen(step);
      step.then(onStep, broke);
      return undefined;
    };
  }

  /** Pulls and buffers steps up to the first with visible content. Until then a retry loses nothing. */
  async peek(stages: readonly Stage<C, F>[], { shows }: Codec<C, F>): Promise<void> {
    const pull = this.#puller(stages);
    this.#peeked = [];
    while (!this.#reading && this.#peeked.length < MOST_AHEAD) {
      const pulled = pull();
      this.#peeked.push(pulled);
      const step = await pulled;
      if (step.done === true || shows(step.value)) return;
    }
  }

  /**
   * Closes the source, since reading has ended. Resolves when it has closed or the time limit has passed, never
   * rejects. Returns `undefined` if it closed at once.
   */
  close(fault: (error: unknown) => void): Promise<void> | undefined {
    // An inner call ends before its outer call, even if its consumer stopped early.
    if (this.#finished || this.value !== undefined) return this.#settled && limited(this.#settled);
    this.#finished = true;
    try {
      const closing = (this.#iterator ?? this.#open()).return?.();
      return closing && limited(closing).catch(fault);
    } catch (error) {
      return void fault(error);
    }
  }

  /** Returns the pull function, wrapped by each stage's `around`. The last stage is the outermost. */
  #puller(stages: readonly Stage<C, F>[]): Pull<C> {
    let pull: Pull<C> = () => {
      const step = this.#next();
      return "then" in step ? step.then(this.#seen, this.#broke) : this.#seen(step);
    };
    for (const stage of stages) {
      const { around } = stage;
      if (around === undefined) continue;
      const inner = pull;
      const promised = () => promisedStep(inner);
      pull = () => around.call(stage, promised) as Promise<Step<C>>;
    }
    return pull;
  }

  #next(): Step<C> | Promise<Step<C>> {
    try {
      this.#iterator ??= this.#open();
      return this.#iterator.next();
    } catch (error) {
      return this.#broke(error);
    }
  }

  readonly #seen = (step: Step<C>): Step<C> => {
    if (step.done === true) {
      this.#finished = true;
      this.#settled = undefined; // a source that reported its end has settled
    }
    return step;
  };

  readonly #broke = (error: unknown): never => {
    throw this.#over(error);
  };

  #over(error: unknown): unknown {
    this.#finished = true;
    return error;
  }
}

/** Returns a pull as a promise: the source's promise, if it returns one. */
function promisedStep<C>(pull: Pull<C>): Promise<Step<C>> {
  try {
    return Promise.resolve(pull());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Yields the chunks of an answer that was read, and ends as it did. */
export async function* replay<C>(
  chunks: readonly C[],
  settlement: Settlement<unknown>,
): AsyncGenerator<C, Suspended | undefined> {
  yield* chunks;
  thrown(settlement);
  return settlement.status === "suspended" ? { suspended: settlement.pending } : undefined;
}
