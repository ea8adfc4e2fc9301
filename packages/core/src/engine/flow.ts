import type { Answer, Pending, Suspended } from "../contract/call.js";
import type { Kind } from "../contract/kinds.js";
import type { Outcome, Settlement, Stage } from "../contract/outcome.js";
import { CoreError } from "../errors.js";
import type { Codec } from "../messages/codec.js";
import { type Chain, link } from "./stages.js";
import { Upstream } from "./upstream.js";

/** What a flow needs of its run. */
export interface FlowOwner {
  readonly open: Set<Flow<never, never>>;
  fault(where: string, error: unknown): void;
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
  #closing = false;
  #settlement: Settlement<F> | undefined;
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
    owner.open.add(this as never);
  }

  /** Somebody reads it, or it has ended. */
  get taken(): boolean {
    return this.#chain !== undefined || this.#closing;
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
    if (this.taken) {
      throw new CoreError(
        "ERR_PIPE_AFTER_READ",
        "pipe() came after this answer was read. Call it right after `await callNext()`.",
      );
    }
    this.#stages.push(stage);
  }

  async ready(): Promise<void> {
    if (this.taken || !this.streaming) return;
    try {
      const peeked = this.#upstream.peek(this.#stages);
      await new Promise<unknown>((resolve, reject) => {
        this.#waiter = { resolve, reject };
        peeked.then(resolve as () => void, reject);
      });
      this.#waiter = undefined;
    } catch (error) {
      this.#waiter = undefined;
      await this.#settle({ status: "failed", error });
      throw error;
    }
  }

  async final(): Promise<F> {
    if (!this.taken) {
      this.#draining = true;
      this.#take();
      await this.#read().catch(() => {}); // told by the settlement
    }
    const settlement = this.#settlement ?? (await this.settled);
    if (settlement.status === "completed") return settlement.final;
    if (settlement.status === "failed") throw settlement.error;
    if (settlement.status === "cancelled") throw settlement.reason;
    throw new CoreError(
      "ERR_SUSPENDED",
      "This answer is suspended: it has no value yet. Look at `await outcome.settled` before final().",
    );
  }

  [Symbol.asyncIterator](): AsyncIterator<C, Suspended | undefined> {
    if (this.taken) {
      throw new CoreError(
        "ERR_ALREADY_CONSUMED",
        "This answer was read already. Ask final() for its value, or pipe() a stage to watch it.",
      );
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
        await this.cancel("the consumer stopped reading");
        return over;
      },
    };
  }

  /** Ends it as cancelled, if it has not ended. Resolves when it has settled. */
  cancel(reason: unknown): Promise<void> {
    return this.#settle({ status: "cancelled", reason });
  }

  /** Ends it as failed, if it has not ended. */
  fail(error: unknown): Promise<void> {
    return this.#settle({ status: "failed", error });
  }

  #take(): void {
    this.#pull = this.#upstream.puller(this.#stages);
    this.#chain = link(this.#stages, this.codec, this.#upstream.whole, (chunk) => {
      if (!this.#draining) this.#ready.push(chunk);
    });
  }

  #read(): Promise<Read<C>> {
    if (this.#closing) return this.settled.then(() => over);
    if (this.#ready.length > 0) return Promise.resolve({ done: false, value: this.#ready.shift() as C });
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      if (this.#sourceEnded) this.#complete();
      else this.#advance();
    });
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
    if (this.#closing) return false;
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
    if (this.#ready.length === 0) return !this.#closing;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    waiter?.resolve({ done: false, value: this.#ready.shift() as C });
    return false;
  }

  async #flush(): Promise<void> {
    await (this.#chain as Chain<C, F>).flush();
    if (this.#closing) return;
    if (this.#unanswered()) this.#complete();
  }

  #complete(): void {
    const pending = this.#pending;
    if (pending !== undefined) void this.#settle({ status: "suspended", pending });
    else void this.#settle(this.#completed());
  }

  /** The final value is built when somebody asks for it, and once. */
  #completed(stage?: number): Settlement<F> {
    const chain = this.#chain as Chain<C, F>;
    return {
      status: "completed",
      get final() {
        return chain.final(stage);
      },
    };
  }

  async #settle(settlement: Settlement<F>): Promise<void> {
    if (this.#closing) return void (await this.settled);
    this.#closing = true;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    const { status } = settlement;
    if (status === "cancelled") waiter?.reject(settlement.reason);
    if (this.replaced?.taken === false) await this.replaced.cancel("another answer took its place");
    await this.#upstream.close((error) => this.owner.fault("closing a stream", error));
    for (const [index, stage] of this.#stages.entries()) {
      if (stage.settle === undefined) continue;
      try {
        const work = stage.settle(status === "completed" ? this.#completed(index) : settlement);
        if (work !== undefined) await work;
      } catch (error) {
        this.owner.fault("settle", error);
      }
    }
    this.#settlement = settlement;
    this.owner.open.delete(this as never);
    this.#tell?.(settlement);
    if (status === "failed") waiter?.reject(settlement.error);
    else waiter?.resolve(status === "suspended" ? { done: true, value: { suspended: settlement.pending } } : over);
  }
}
