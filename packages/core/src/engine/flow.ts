import type { Answer, Pending, Suspended } from "../contract/call.js";
import type { Kind } from "../contract/kinds.js";
import type { Outcome, Settlement, Stage } from "../contract/outcome.js";
import { CoreError } from "../errors.js";
import type { Codec } from "../messages/codec.js";
import { type Chain, link } from "./stages.js";
import { Upstream } from "./upstream.js";

/** What a flow needs of its run. */
export interface FlowOwner {
  release(flow: Flow<never, never>): void;
  fault(where: string, error: unknown): void;
  /** Work that the run must not end before. */
  await(work: Promise<void>): void;
}

type Step<C> = IteratorResult<C, Suspended | void>;
type Read<C> = IteratorResult<C, Suspended | undefined>;
interface Waiter<C> {
  readonly resolve: (read: Read<C>) => void;
  readonly reject: (error: unknown) => void;
}

const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * One answer on its way out: pulls the source when its consumer pulls, sends each chunk through the stages, and
 * settles once. Hand-written rather than an async generator: the same two promises a chunk, however many stages.
 */
export class Flow<C, F> implements Outcome<C, F> {
  readonly streaming: boolean;
  readonly #upstream: Upstream<C, F>;
  readonly #stages: Stage<C, F>[] = [];
  #chain: Chain<C, F> | undefined;
  #pull: () => Step<C> | Promise<Step<C>> = () => over;
  #ready: C[] = [];
  #draining = false;
  #sourceEnded = false;
  #pending: readonly Pending[] | undefined;
  #waiter: Waiter<C> | undefined;
  /** How it is about to end: the source closes, the stages settle. */
  #ending: Settlement<F> | undefined;
  #settlement: Settlement<F> | undefined;
  #settling: Promise<void> | undefined;
  #readying: Promise<void> | undefined;
  /** The consumer has heard of the end. */
  #told = false;
  #settled: Promise<Settlement<F>> | undefined;
  #tell: ((settlement: Settlement<F>) => void) | undefined;

  /** @param replaced the answer that this one was given in place of: closed with it, unless it is read by then. */
  constructor(
    answer: Answer<Kind>,
    readonly codec: Codec<C, F>,
    readonly owner: FlowOwner,
    readonly replaced?: Flow<C, F>,
  ) {
    this.streaming = "stream" in answer;
    this.#upstream = new Upstream(answer, codec);
  }

  /** Somebody reads it, or it has ended. */
  get taken(): boolean {
    return this.#chain !== undefined || this.#ending !== undefined;
  }
  /** How it ended, if it has. */
  get settlement(): Settlement<F> | undefined {
    return this.#settlement;
  }
  get settled(): Promise<Settlement<F>> {
    this.#settled ??=
      this.#settlement !== undefined
        ? Promise.resolve(this.#settlement)
        : new Promise((resolve) => {
            this.#tell = resolve;
          });
    return this.#settled;
  }

  pipe(stage: Stage<C, F>): void {
    // A layer that comes late to an answer which was aborted or has failed still learns how it ended.
    if (this.#ending !== undefined && this.#ending.status !== "completed") this.owner.await(this.#tellStage(stage));
    else if (this.taken) {
      throw new CoreError(
        "ERR_PIPE_AFTER_READ",
        "pipe() came after this answer was read. Call it right after callNext().",
      );
    } else this.#stages.push(stage);
  }

  ready(): Promise<void> {
    this.#readying ??= this.#peek();
    return this.#readying;
  }

  async final(): Promise<F> {
    if (!this.taken) {
      this.#draining = true;
      this.#take();
      await this.#read().catch(() => {}); // told by the settlement
    }
    const settlement = this.#settlement ?? (await this.settled);
    if (settlement.status === "completed") return settlement.final;
    thrown(settlement);
    throw new CoreError("ERR_SUSPENDED", "A suspended answer has no value yet. Look at `settled` before final().");
  }

  [Symbol.asyncIterator](): AsyncIterator<C, Suspended | undefined> {
    if (this.#chain !== undefined) {
      throw new CoreError("ERR_ALREADY_CONSUMED", "This answer was read already. Ask for final(), or pipe() a stage.");
    }
    this.#take();
    let last: Promise<Read<C>> | undefined;
    let queued = 0;
    const next = (): Promise<Read<C>> => {
      queued--;
      return this.#read();
    };
    return {
      next: () => {
        const idle = queued++ === 0 && this.#waiter === undefined;
        last = idle || last === undefined ? next() : last.then(next, next);
        return last;
      },
      return: async () => {
        this.#told = true;
        await this.cancel(cancelled("The consumer stopped reading."));
        return over;
      },
    };
  }

  /** Ends it as cancelled, if it has not ended. Resolves when it has settled. */
  cancel(reason: unknown): Promise<void> {
    return this.#settle({ status: "cancelled", reason });
  }

  /** Makes sure that it ends as cancelled, if it has not ended, and lets its consumer go. It settles when `cancel` is called. */
  doom(reason: unknown): void {
    if (this.#ending !== undefined) return;
    this.#ending = { status: "cancelled", reason };
    this.#answer((waiter) => waiter.reject(reason));
  }

  /** Ends it as failed, if it has not ended. */
  fail(error: unknown): Promise<void> {
    return this.#settle({ status: "failed", error });
  }

  async #peek(): Promise<void> {
    if (this.#ending !== undefined) return thrown(await this.settled);
    if (!this.streaming || this.#chain !== undefined) return;
    try {
      await Promise.race([this.#upstream.peek(this.#stages), this.settled.then(thrown)]);
    } catch (error) {
      await this.#settle({ status: "failed", error });
      throw error;
    }
  }

  #take(): void {
    this.#pull = this.#upstream.puller(this.#stages);
    this.#chain = link(this.#stages, this.codec, this.#upstream.whole, (chunk) => {
      if (!this.#draining) this.#ready.push(chunk);
    });
  }

  #read(): Promise<Read<C>> {
    if (this.#ending !== undefined) return this.#end();
    if (this.#ready.length > 0) return Promise.resolve({ done: false, value: this.#ready.shift() as C });
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      if (this.#sourceEnded) this.#complete();
      else this.#advance();
    });
  }

  /** The end as a step; an error of the source, or an abort, is told once. */
  async #end(): Promise<Read<C>> {
    const settlement = await this.settled;
    if (this.#told) return over;
    this.#told = true;
    thrown(settlement);
    return settlement.status === "suspended" ? { done: true, value: { suspended: settlement.pending } } : over;
  }

  /** Answers the consumer's pull, if one waits. */
  #answer(answer: (waiter: Waiter<C>) => void, ended = true): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    this.#waiter = undefined;
    this.#told = ended;
    answer(waiter);
  }

  /** Pulls until there is something to give out. Steps that are there at once are taken in a loop, not by recursion. */
  #advance(): void {
    try {
      for (;;) {
        const step = this.#pull();
        if ("then" in step) {
          step.then(this.#stepped, this.#failed);
          return;
        }
        if (!this.#accepted(step)) return;
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  readonly #stepped = (step: Step<C>): void => {
    if (this.#accepted(step)) this.#advance();
  };
  readonly #failed = (error: unknown): void => {
    void this.#settle({ status: "failed", error });
  };

  /** Whether to pull on. */
  #accepted(step: Step<C>): boolean {
    if (this.#ending !== undefined) return false;
    if (step.done === true) {
      this.#sourceEnded = true;
      this.#pending = step.value?.suspended;
      void this.#flush();
      return false;
    }
    const chain = this.#chain as Chain<C, F>;
    chain.enter(step.value);
    const idle = chain.idle();
    if (idle === undefined) return this.#unanswered();
    void idle.then(() => {
      if (this.#unanswered()) this.#advance();
    });
    return false;
  }

  /** Gives the waiting consumer what is ready. Whether it still waits. */
  #unanswered(): boolean {
    const failure = this.#chain?.failure();
    if (failure !== undefined) {
      this.#failed(failure.error);
      return false;
    }
    if (this.#ready.length === 0) return this.#ending === undefined;
    this.#answer(({ resolve }) => resolve({ done: false, value: this.#ready.shift() as C }), false);
    return false;
  }

  async #flush(): Promise<void> {
    await (this.#chain as Chain<C, F>).flush(this.#pending !== undefined);
    if (this.#ending !== undefined) return;
    if (this.#unanswered()) this.#complete();
  }

  #complete(): void {
    const pending = this.#pending;
    if (pending !== undefined) void this.#settle({ status: "suspended", pending });
    else void this.#settle(this.#completed());
  }

  #completed(stage?: number): Settlement<F> {
    return new Completed(this.#chain as Chain<C, F>, stage);
  }

  #settle(settlement: Settlement<F>): Promise<void> {
    if (settlement.status === "cancelled") this.doom(settlement.reason);
    // One that is doomed settles when its turn comes, whatever its source does meanwhile.
    else if (this.#ending !== undefined) return this.settled.then(() => {});
    this.#ending ??= settlement;
    this.#settling ??= this.#close(this.#ending);
    return this.#settling;
  }

  async #close(settlement: Settlement<F>): Promise<void> {
    const { status } = settlement;
    if (this.replaced?.taken === false) await this.replaced.cancel(cancelled("Another answer took its place."));
    await this.#upstream.close((error) => this.owner.fault("closing a stream", error));
    for (const [index, stage] of this.#stages.entries()) {
      await this.#settleStage(stage, status === "completed" ? this.#completed(index) : settlement);
    }
    this.#settlement = settlement;
    this.owner.release(this as never);
    this.#tell?.(settlement);
    this.#answer(({ resolve, reject }) => {
      this.#told = false;
      this.#end().then(resolve, reject);
    });
  }

  async #settleStage(stage: Stage<C, F>, settlement: Settlement<F>): Promise<void> {
    try {
      const work = stage.settle?.(settlement);
      if (work !== undefined) await work;
    } catch (error) {
      this.owner.fault("settle", error);
    }
  }

  async #tellStage(stage: Stage<C, F>): Promise<void> {
    await this.#settleStage(stage, await this.settled);
  }
}

/** The final value is built when somebody asks for it. A class, since a getter in a literal costs a hidden class each time. */
class Completed<F> {
  readonly status = "completed";
  readonly #chain: Chain<never, F>;
  readonly #stage: number | undefined;

  constructor(chain: Chain<never, F>, stage: number | undefined) {
    this.#chain = chain;
    this.#stage = stage;
  }
  get final(): F {
    return this.#chain.final(this.#stage);
  }
}

/** A reason of our own: an error, so that whoever is given it can tell where it comes from. */
export const cancelled = (why: string): CoreError => new CoreError("ERR_CANCELLED", why);

/** Throws what an answer ended with, unless it ended well or waits. */
function thrown(settlement: Settlement<unknown>): void {
  if (settlement.status === "failed") throw settlement.error;
  if (settlement.status === "cancelled") throw settlement.reason;
}
