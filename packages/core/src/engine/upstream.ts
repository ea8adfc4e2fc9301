import type { Answer } from "../contract/call.js";
import type { Kind } from "../contract/kinds.js";
import type { Stage } from "../contract/outcome.js";
import type { Suspended } from "../contract/suspension.js";
import type { Codec } from "./codec.js";
import { limited } from "./limit.js";

type Step<C> = IteratorResult<C, Suspended | void>;
/** The most steps that are kept for a reader: a stream of events alone, such as audio, must not wait for its end. */
const MOST_AHEAD = 16;

type Pull<C> = () => Step<C> | Promise<Step<C>>;

/** The source of an answer: a plain value's chunks, a stream, or nothing but a suspension. */
export class Upstream<C, F> {
  /** The plain value, where the answer was one. */
  readonly value: F | undefined;
  #iterator: AsyncIterator<C, Suspended | void> | Iterator<C, Suspended | void> | undefined;
  /** The steps that were pulled ahead of the reader. */
  #heads: (Step<C> | Promise<Step<C>>)[] | undefined;
  #reading = false;
  #finished = false;
  /** The end of the inner call, where the source is its answer. */
  #settled: Promise<unknown> | undefined;
  readonly #open: () => AsyncIterator<C, Suspended | void> | Iterator<C, Suspended | void>;

  constructor(answer: Answer<Kind>, codec: Codec<C, F>) {
    if ("stream" in answer) {
      const stream = answer.stream as AsyncIterable<C, Suspended | void> & { readonly settled?: Promise<unknown> };
      this.#settled = stream.settled;
      this.#open = () => stream[Symbol.asyncIterator]();
    } else if ("value" in answer) {
      const plain = answer.value as F;
      this.value = plain;
      this.#open = () => codec.explode(plain)[Symbol.iterator]() as Iterator<C, void>;
    } else {
      this.#open = () => ({ next: () => ({ done: true, value: answer }) });
    }
  }

  /**
   * A function that pulls one step: gives it where it is there at once, else to `stepped`, or to `failed`. A source that no
   * stage wraps costs one promise a step beside its own.
   */
  reader(
    stages: readonly Stage<C, F>[],
    stepped: (step: Step<C>) => void,
    failed: (error: unknown) => void,
  ): () => Step<C> | undefined {
    const wrapped = stages.some(({ around }) => around !== undefined);
    const pull = wrapped ? this.#puller(stages) : () => this.#next();
    const came = wrapped ? stepped : (step: Step<C>) => stepped(this.#seen(step));
    const broke = wrapped ? failed : (error: unknown) => failed(this.#over(error));
    return () => {
      this.#reading = true;
      const step = this.#heads?.shift() ?? pull();
      if (!("then" in step)) return wrapped ? step : this.#seen(step);
      step.then(came, broke);
      return undefined;
    };
  }

  /** Pulls steps and keeps them, up to the first that shows something: until then nothing is lost by asking again. */
  async peek(stages: readonly Stage<C, F>[], { shows }: Codec<C, F>): Promise<void> {
    const pull = this.#puller(stages);
    this.#heads = [];
    while (!this.#reading && this.#heads.length < MOST_AHEAD) {
      const head = pull();
      this.#heads.push(head);
      const step = await head;
      if (step.done === true || shows(step.value)) return;
    }
  }

  /** Tells the source that nobody will read on. Resolves when it has closed, or the limit has passed; never rejects. Undefined where it has closed at once. */
  close(fault: (error: unknown) => void): Promise<void> | undefined {
    // An inner call has ended before the call that it is in, also when its consumer was let go early.
    if (this.#finished || this.value !== undefined) return this.#settled && limited(this.#settled);
    this.#finished = true;
    try {
      const closing = (this.#iterator ?? this.#open()).return?.();
      return closing && limited(closing).catch(fault);
    } catch (error) {
      return void fault(error);
    }
  }

  /** One step, wrapped as the stages ask: the last stage is the outermost. */
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
      this.#settled = undefined; // an end that was told is a settled one
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

/** A pull as a promise: that of the source itself, where it gives one. */
function promisedStep<C>(pull: Pull<C>): Promise<Step<C>> {
  try {
    return Promise.resolve(pull());
  } catch (error) {
    return Promise.reject(error);
  }
}
