import type { Answer, CallId, Invocation } from "../contract/call.js";
import type { Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome, Stage } from "../contract/outcome.js";
import { CoreError } from "../errors.js";
import { codecOf } from "../messages/codec.js";
import type { Attempts } from "./attempts.js";
import { cancelled } from "./ending.js";
import { Flow } from "./flow.js";
import { limited } from "./limit.js";
import { notAwaited, tooLate } from "./onion.js";
import type { Open } from "./open-work.js";
import { Reread } from "./reread.js";
import type { Run } from "./run.js";

/** What the adapter does in the end: asks the model, runs the tool, and calls `invocation.respond`. */
export type CallCore<K extends Kind> = (invocation: Invocation<K>) => Promise<void>;

/** One call, as all its layers share it. */
export class Call<K extends Kind> implements Open {
  #flow: Flow<Chunk<K>, Final<K>> | undefined;
  #reached: Frame<K> | undefined;
  #returned = false;
  #leaving: Promise<void> | undefined;
  #left: (() => void) | undefined;

  constructor(
    readonly kind: K,
    readonly id: CallId,
    readonly run: Run,
    readonly core: CallCore<K>,
    /** Kept where somebody has to be told of them. */
    readonly attempts: Attempts<K> | undefined,
  ) {}

  /** The answer that can still be read: what a layer has read to its end is given out again, from its value. */
  get answer(): Flow<Chunk<K>, Final<K>> | undefined {
    const settlement = this.#flow?.settlement;
    if (settlement?.status === "completed") this.#open({ value: settlement.final });
    else if (settlement?.status === "suspended") this.#open({ suspended: settlement.pending });
    return this.#flow;
  }

  /** The answer as a layer sees it. Of what was read, the end is known: asking for it must not wait for another reader. */
  get seen(): Outcome<Chunk<K>, Final<K>> | undefined {
    const settlement = this.#flow?.settlement;
    if (settlement?.status !== "completed" && settlement?.status !== "suspended") return this.#flow;
    const value: Answer<K> =
      settlement.status === "completed" ? { value: settlement.final } : { suspended: settlement.pending };
    return new Reread(this.#flow as Flow<Chunk<K>, Final<K>>, () => this.#flowOf(value));
  }

  /** What the core was asked, or the layer that answered where it failed. */
  get reached(): Request<K> | undefined {
    return this.#reached?.request;
  }

  /** The innermost call; an answer of an earlier attempt is closed first. */
  enter(frame: Frame<K>): Promise<void> {
    if (this.#returned) throw tooLate();
    this.run.check();
    this.#reached = frame;
    return this.#flow === undefined ? this.#enter(frame) : this.#retry(this.#flow, frame);
  }

  respond(answer: Answer<K>, by: Frame<K>): void {
    if (this.#returned) {
      // Nobody will read it: what it streams from is let go.
      void new Flow(answer as Answer<Kind>, codecOf(this.kind), this.run).cancel(undefined);
      this.#late();
    }
    if (answer === undefined || !("value" in answer || "stream" in answer || "suspended" in answer)) {
      throw new CoreError("ERR_NO_ANSWER", "respond() takes { value }, { stream } or { suspended }.");
    }
    const failed = this.#flow === undefined || this.#flow.failedAt !== undefined;
    this.#open(answer, this.#flow);
    if (by === this.#reached) this.attempts?.answered(this.#flow as never);
    else if (this.#reached !== undefined && failed) {
      this.#reached = by;
      this.attempts?.replaced(by.depth);
    }
  }

  pipe(stage: Stage<Chunk<K>, Final<K>>): void {
    if (this.#returned) this.#late();
    const { answer } = this;
    if (answer === undefined) {
      throw new CoreError(
        "ERR_PIPE_WITHOUT_ANSWER",
        `pipe() in a ${this.kind} layer found no answer. Await callNext() first.`,
      );
    }
    answer.pipe(stage);
  }

  /**
   * All layers have returned: the answer, or the reason why there is none.
   *
   * @param certain that no layer is still at work.
   */
  end(certain: boolean): Flow<Chunk<K>, Final<K>> {
    this.#returned = true;
    const { answer } = this;
    if (answer !== undefined) return answer;
    if (this.#reached !== undefined && !certain) throw notAwaited(`the ${this.kind} call`);
    throw new CoreError(
      "ERR_NO_ANSWER",
      `No layer of the ${this.kind} call has answered, nor its core. Await callNext(), or respond().`,
    );
  }

  /** An outer layer threw: nobody will read what there is. */
  async abandon(reason: unknown): Promise<void> {
    this.#returned = true;
    await this.#flow?.cancel(reason);
  }

  /** Its layers are told by the run's signal. */
  doom(): void {
    void this.cancel();
  }

  /** Waits until its layers have returned, though not for ever. */
  cancel(): Promise<void> {
    this.#leaving ??= limited(
      new Promise<void>((resolve) => {
        this.#left = resolve;
      }),
    ).then(() => this.run.release(this));
    return this.#leaving;
  }

  /** Its layers have returned. */
  leave(): void {
    this.run.release(this);
    this.#left?.();
  }

  #open(answer: Answer<K>, replaced?: Flow<Chunk<K>, Final<K>>): void {
    this.#flow = this.#flowOf(answer, replaced);
  }

  #flowOf(answer: Answer<K>, replaced?: Flow<Chunk<K>, Final<K>>): Flow<Chunk<K>, Final<K>> {
    const flow = new Flow<Chunk<K>, Final<K>>(answer as Answer<Kind>, codecOf(this.kind), this.run, replaced);
    this.run.adopt(flow, this.id);
    return flow;
  }

  #enter(frame: Frame<K>): Promise<void> {
    const { attempts } = this;
    if (attempts === undefined) return this.#ask(frame);
    attempts.begin(frame);
    const asking = this.#ask(frame);
    asking.then(undefined, (error) => attempts.threw(error));
    return asking;
  }

  #ask(frame: Frame<K>): Promise<void> {
    const { ambient } = this.run;
    if (ambient === undefined) return this.core(frame);
    return ambient.run({ runtime: this.run, call: this.id }, () => this.core(frame));
  }

  async #retry(flow: Flow<Chunk<K>, Final<K>>, frame: Frame<K>): Promise<void> {
    this.#flow = undefined;
    await flow.cancel(cancelled("The call was tried again."));
    return this.#enter(frame);
  }

  /** A layer that nobody waits for must not find its answer already given out: a guard would have been passed by. */
  #late(): never {
    const error = notAwaited(`the ${this.kind} call`);
    void this.#flow?.fail(error);
    throw error;
  }
}

/** The call as one layer sees it. */
export class Frame<K extends Kind> implements Invocation<K> {
  constructor(
    readonly shared: Call<K>,
    public request: Request<K>,
    /** How many layers are outside. */
    readonly depth: number = 0,
  ) {}

  get kind(): K {
    return this.shared.kind;
  }
  get call(): CallId {
    return this.shared.id;
  }
  get runtime(): Run {
    return this.shared.run;
  }
  get reached(): Request<K> | undefined {
    return this.shared.reached;
  }
  get result(): Outcome<Chunk<K>, Final<K>> | undefined {
    return this.shared.seen;
  }
  respond(answer: Answer<K>): void {
    this.shared.respond(answer, this);
  }
  pipe(stage: Stage<Chunk<K>, Final<K>>): void {
    this.shared.pipe(stage);
  }
}

/** Hands the current request on: the layer further in may replace its own without this one seeing it. */
export const inward = <K extends Kind>(frame: Frame<K>): Frame<K> =>
  new Frame(frame.shared, frame.request, frame.depth + 1);

/** The core of every onion of calls. */
export const enter = <K extends Kind>(frame: Frame<K>): Promise<void> => frame.shared.enter(frame);
