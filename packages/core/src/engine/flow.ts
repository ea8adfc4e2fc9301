import type { Outcome, Settlement, Stage } from "../contract/outcome.js";
import type { Awaitable } from "../contract/protocol.js";
import type { Pending, Suspended } from "../contract/suspension.js";
import { CoreError } from "../errors.js";
import type { Codec } from "./codec.js";
import { Consumer, iteratorOf, over, type Read, type Resolve, stepsOf } from "./consumer.js";
import { Completed, cancelled, Ending, settleStage, thrown } from "./ending.js";
import type { FlowOwner } from "./flow-owner.js";
import { type Chain, link } from "./stages.js";
import { type Source, Upstream } from "./upstream.js";

type Step<C> = IteratorResult<C, Suspended | void>;

/**
 * One answer: it pulls the source when its consumer pulls, sends each chunk through the stages, and settles once.
 * Hand-written and not an async generator, for two promises per chunk regardless of the number of stages.
 */
export class Flow<C, F> implements Outcome<C, F> {
  streaming: boolean;
  readonly isError: boolean;
  byLayer = false;
  /** The emitted chunks of a stream that a layer reads, for the outer layers and the consumer. */
  kept: C[] | undefined;
  /** Returns the same answer again, if a layer has read it. */
  again: (() => Flow<C, F>) | undefined;
  /** The time of the failure, in milliseconds since the epoch. */
  failedAt: number | undefined;
  readonly #upstream: Upstream<C, F>;
  readonly #stages: Stage<C, F>[] = [];
  #chain: Chain<C, F> | undefined;
  #pull: () => Step<C> | undefined = () => over;
  readonly #consumer = new Consumer<C>();
  readonly #ending = new Ending<F>();
  #sourceEnded = false;
  #pending: readonly Pending[] | undefined;
  #readying: Promise<void> | undefined;
  #closes = false;
  #closing: Promise<void> | undefined;
  #judging: Promise<void> | undefined;
  /** Checks the whole value after it was read. If it throws, the answer fails. Set by `judged`. */
  judge: ((final: F) => Awaitable<void>) | undefined;

  /** @param replaced the answer that this one replaces. It is closed with this one, unless it is read by then. */
  constructor(
    answer: Source,
    readonly codec: Codec<C, F>,
    readonly owner: FlowOwner,
    readonly replaced?: Flow<C, F>,
  ) {
    this.streaming = "stream" in answer;
    this.isError = (answer as { readonly isError?: boolean }).isError === true;
    if (this.streaming) this.kept = [];
    this.#upstream = new Upstream(answer, codec);
    if (replaced) replaced.kept = undefined;
  }

  /** True if the answer has a consumer or has ended. */
  get taken(): boolean {
    return this.#chain !== undefined || this.#ending.decided !== undefined;
  }
  /** True if a consumer has begun to read or waits for the first chunk. */
  get begun(): boolean {
    return (this.#chain ?? this.#readying) !== undefined;
  }
  /** The value, if the answer is not a stream. */
  get value(): F | undefined {
    return this.#upstream.value;
  }
  /** The value, if no stage processes chunks, so that it need not be split. */
  get completeValue(): F | undefined {
    return this.#stages.some(({ chunk, flush, around }) => chunk ?? flush ?? around) ? undefined : this.value;
  }
  /** The settlement, or `undefined` while the answer is open. */
  get settlement(): Settlement<F> | undefined {
    return this.#ending.settlement;
  }
  get settled(): Promise<Settlement<F>> {
    return this.#ending.settled;
  }

  pipe(stage: Stage<C, F>): void {
    // A layer that pipes into an aborted or failed answer still receives its settlement.
    const { decided } = this.#ending;
    if (decided !== undefined && decided.status !== "completed")
      this.owner.await(this.settled.then((settlement) => settleStage(stage, settlement, this.owner)));
    else if (this.taken) {
      throw new CoreError("ERR_PIPE_AFTER_READ", "This answer was already read. Call pipe() right after callNext().");
    } else this.#stages.push(stage);
  }

  ready(): Promise<void> {
    this.#readying ??= this.#peek();
    return this.#readying;
  }

  async final(): Promise<F> {
    if (!this.taken) {
      const { completeValue } = this;
      if (completeValue === undefined) {
        this.#take(() => {});
        this.#advance();
      } else {
        this.#chain = { final: () => completeValue } as Chain<C, F>;
        this.#complete();
      }
    }
    const settlement = this.settlement ?? (await this.settled);
    if (settlement.status === "completed") return settlement.final;
    thrown(settlement);
    throw new CoreError("ERR_SUSPENDED", "A suspended answer has no value yet: see `settled`.");
  }

  [Symbol.asyncIterator](): AsyncIterator<C, Suspended | undefined> {
    if (this.again) return this.again()[Symbol.asyncIterator]();
    this.#open();
    return iteratorOf(this.#consumer, this.#read, () => {
      // After an abort, use its reason. If the answer has ended, no reason is needed: an error costs a stack trace.
      const { abort } = this.owner;
      return this.cancel(abort || this.#ending.decided ? abort?.reason : cancelled("The consumer stopped reading."));
    });
  }

  /**
   * Returns a function that reads one step without a promise. It returns a step that is ready. A later step is passed
   * to `resolve`, an error to `reject`. Request one step at a time.
   */
  reader(resolve: Resolve<C>, reject: (error: unknown) => void): () => Read<C> | undefined {
    this.#open();
    return stepsOf(this.#read, resolve, reject);
  }

  /** Ends the answer as cancelled, unless it has ended. Resolves when it has settled. */
  cancel(reason: unknown): Promise<void> {
    return this.#settle({ status: "cancelled", reason });
  }

  /** Decides that the answer ends as cancelled, unless it has ended. Its consumer is released. `cancel` settles it. */
  doom(reason: unknown): void {
    if (this.#ending.decided !== undefined) return;
    this.#ending.decided = { status: "cancelled", reason };
    this.#consumer.release(reason);
  }

  /** Ends the answer as failed, unless it has ended. */
  fail(error: unknown): Promise<void> {
    return this.#settle({ status: "failed", error });
  }

  async #peek(): Promise<void> {
    if (this.#ending.decided !== undefined) return thrown(await this.settled);
    if (!this.streaming || this.#chain !== undefined) return;
    try {
      await Promise.race([this.#upstream.peek(this.#stages, this.codec), this.settled.then(thrown)]);
    } catch (error) {
      await this.fail(error);
      thrown(await this.settled); // if it was given up before, the source failed because of that
      throw error;
    }
  }

  #open(): void {
    if (this.#chain !== undefined) {
      throw new CoreError("ERR_ALREADY_CONSUMED", "This answer was already read. Call final(), or pipe() a stage.");
    }
    this.#take((chunk) => this.#consumer.push(chunk));
  }

  #take(out: (chunk: C) => void): void {
    this.#pull = this.#upstream.reader(this.#stages, this.#stepped, this.#failed);
    const { kept } = this;
    const keep = (chunk: C): void => {
      kept?.push(chunk);
      out(chunk);
    };
    this.#chain = link(this.#stages, this.codec, this.#upstream.value, kept ? keep : out);
  }

  readonly #read = (resolve: Resolve<C>, reject: (error: unknown) => void): void => {
    if (this.#ending.decided !== undefined) this.#end(resolve, reject);
    else if (this.#consumer.hasReady) resolve(this.#consumer.shift());
    else {
      this.#consumer.wait(resolve, reject);
      if (this.#sourceEnded) this.#complete();
      else this.#advance();
    }
  };

  /** Passes on the end as a step after it has settled. An error of the source or an abort is reported only once. */
  #end(resolve: Resolve<C>, reject: (error: unknown) => void): void {
    const { settlement } = this;
    if (settlement === undefined) void this.settled.then(() => this.#end(resolve, reject));
    else if (this.#consumer.ended) resolve(over);
    else {
      this.#consumer.ended = true;
      if (settlement.status === "completed") resolve(over);
      else if (settlement.status === "failed") reject(settlement.error);
      else if (settlement.status === "cancelled") reject(settlement.reason);
      else resolve({ done: true, value: { suspended: settlement.pending } });
    }
  }

  /** Pulls until a chunk is ready for the consumer. Steps that are ready are taken in a loop and not by recursion. */
  #advance(): void {
    try {
      for (;;) {
        const step = this.#pull();
        if (step === undefined || !this.#accepted(step)) return;
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  readonly #stepped = (step: Step<C>): void => {
    if (this.#accepted(step)) this.#advance();
  };
  readonly #failed = (error: unknown): void => {
    const { abort } = this.owner;
    const aborted = abort !== undefined && abort.reason === error;
    void (aborted ? this.cancel(error) : this.fail(error));
  };

  /** Processes a step. Returns true to continue pulling. */
  #accepted(step: Step<C>): boolean {
    if (this.#ending.decided !== undefined) return false;
    const chain = this.#chain as Chain<C, F>;
    if (step.done === true) {
      this.#sourceEnded = true;
      this.#pending = step.value?.suspended;
      const flushing = chain.flush(this.#pending !== undefined);
      if (flushing === undefined) this.#flushed();
      else void flushing.then(this.#flushed);
      return false;
    }
    chain.enter(step.value);
    const idle = chain.idle();
    if (idle === undefined) return this.#unanswered();
    void idle.then(() => this.#unanswered() && this.#advance());
    return false;
  }

  /** Passes a ready chunk to the waiting consumer. Returns true if it still waits. */
  #unanswered(): boolean {
    const failure = this.#chain?.failure();
    if (failure !== undefined) {
      this.#failed(failure.error);
      return false;
    }
    if (!this.#consumer.hasReady) return this.#ending.decided === undefined;
    this.#consumer.answer(this.#consumer.shift());
    return false;
  }

  /** Called when the stages have released the chunks that they held back. */
  readonly #flushed = (): void => {
    if (this.#ending.decided === undefined && this.#unanswered()) this.#complete();
  };

  #complete(): void {
    const pending = this.#pending;
    const completed = new Completed(this.#chain as Chain<C, F>);
    if (pending !== undefined) void this.#settle({ status: "suspended", pending });
    else if (this.judge === undefined) void this.#settle(completed);
    else this.#judging ??= this.#judged(this.judge, completed).catch(this.#failed);
  }

  async #judged(judge: (final: F) => Awaitable<void>, completed: Completed<F>): Promise<void> {
    await judge(completed.final);
    void this.#settle(completed);
  }

  #settle(settlement: Settlement<F>): Promise<void> {
    if (settlement.status === "cancelled") this.doom(settlement.reason);
    // A doomed answer settles when `cancel` is called, regardless of its source.
    else if (this.#ending.decided !== undefined) return this.settled.then(() => {});
    this.#ending.decided ??= settlement;
    if (settlement.status === "failed") this.failedAt ??= Date.now();
    if (!this.#closes) {
      this.#closes = true; // set first, since a stage's `settle` may cancel the answer
      this.#closing = this.#close(this.#ending.decided);
    }
    return this.#closing ?? this.settled.then(() => {});
  }

  async #close(settlement: Settlement<F>): Promise<void> {
    if (this.replaced?.taken === false) await this.replaced.cancel(cancelled("Another answer replaced it."));
    const upstream = this.#upstream.close((error) => this.owner.fault("closing a stream", error));
    if (upstream !== undefined) await upstream;
    let index = 0;
    for (const stage of this.#stages) {
      const stageSettlement =
        settlement.status === "completed" ? new Completed(this.#chain as Chain<C, F>, index++) : settlement;
      const settling = settleStage(stage, stageSettlement, this.owner);
      if (settling !== undefined) await settling;
    }
    this.#ending.settle(settlement);
    this.owner.release(this);
    if (this.#consumer.waits) this.#end(this.#consumer.answer, this.#consumer.release);
  }
}
