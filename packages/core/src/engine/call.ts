import type { Answer, Branch, CallCore } from "../contract/call.js";
import type { CallId, Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome, Settlement, Stage } from "../contract/outcome.js";
import type { CallNext } from "../contract/protocol.js";
import { setAttempt } from "../contract/signal.js";
import { CoreError } from "../errors.js";
import type { Attempts } from "./attempts.js";
import { checkClient } from "./client.js";
import { codecOf } from "./codec.js";
import { cancelled } from "./ending.js";
import { Flow } from "./flow.js";
import type { Frame, Opening } from "./frame.js";
import { limited } from "./limit.js";
import { notAwaited, tooLate } from "./onion.js";
import type { Open } from "./open-work.js";
import { Reread } from "./reread.js";
import type { Run } from "./run.js";

/** One call, as all its layers share it. */
export class Call<K extends Kind> implements Open {
  #flow: Flow<Chunk<K>, Final<K>> | undefined;
  #reached: Frame<K> | undefined;
  /** The core's own, of the last attempt. */
  #innermost: Frame<K> | undefined;
  /** A layer gave the answer that there is. */
  #byLayer = false;
  #returned = false;
  #thrown: Settlement<never> | undefined;
  #gaveUp = false;
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
    const again = this.#again();
    if (again !== undefined) this.#open(again);
    return this.#flow;
  }

  /** The answer as a layer sees it. Of what was read, the end is known: asking for it must not wait for another reader. */
  get seen(): Outcome<Chunk<K>, Final<K>> | undefined {
    const again = this.#again();
    if (again === undefined) return this.#flow;
    return new Reread(this.#flow as Flow<Chunk<K>, Final<K>>, () => this.#flowOf(again));
  }

  /** The settlement of the call; undefined while it is open. */
  get settlement(): Settlement<Final<K>> | undefined {
    return this.#thrown ?? this.#flow?.settlement;
  }

  /** The request that the core was given, or the layer that answered where the core had failed. */
  get reached(): Request<K> | undefined {
    return this.#reached?.request;
  }

  /** Whether the core was entered with this frame. */
  isCore(frame: Frame<K>): boolean {
    return this.#innermost === frame;
  }

  /** The innermost call; an answer of an earlier attempt is closed first. */
  enter(frame: Frame<K>): Promise<void> {
    const { over } = frame;
    if (over !== undefined) throw over.reason;
    if (this.#returned) throw tooLate();
    this.run.check();
    if (this.kind === "model" && !this.run.takesClients) checkClient(frame.request as Request<"model">);
    this.#reached = frame;
    this.#innermost = frame;
    return this.#flow === undefined ? this.#enter(frame) : this.#retry(this.#flow, frame);
  }

  respond(answer: Answer<K>, by: Frame<K>): void {
    const { over } = by;
    if (over !== undefined) {
      this.#letGo(answer, over.reason);
      return;
    }
    if (this.#returned) {
      this.#letGo(answer, undefined);
      this.#late();
    }
    if (answer === undefined || !("value" in answer || "stream" in answer || "suspended" in answer)) {
      throw new CoreError("ERR_NO_ANSWER", "respond() takes { value }, { stream } or { suspended }.");
    }
    this.#byLayer = by !== this.#innermost;
    const failed = this.#flow === undefined || this.#flow.failedAt !== undefined;
    this.#open(answer, this.#flow);
    if (by === this.#innermost) this.attempts?.answered(this.#flow as never);
    else if (this.#reached !== undefined && failed) {
      // A layer that has the answer by itself, from a cache say, has asked nobody.
      this.#reached = by.asksElsewhere ? by : undefined;
      this.attempts?.replaced(by.depth);
    }
  }

  pipe(stage: Stage<Chunk<K>, Final<K>>, by: Frame<K>): void {
    const { over } = by;
    if (over !== undefined) {
      this.#tellOver(stage, over.reason);
      return;
    }
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

  /** A layer has given up what it had begun: an answer that came of it meanwhile is let go. */
  gaveUp(by: Frame<K>): void {
    this.#gaveUp = true;
    const answered = this.#reached;
    if (this.#flow === undefined || answered?.over === undefined) return;
    const flow = this.#flow;
    const { reason } = answered.over;
    // Whoever reads it already is told why it breaks off.
    void (flow.begun ? flow.fail(reason) : flow.cancel(reason));
    if (this.#returned) return;
    this.#flow = undefined;
    if (this.#reached === answered) this.#reached = by;
  }

  /** Whether some layer need not await what it has begun. */
  get hasGivenUp(): boolean {
    return this.#gaveUp;
  }

  /** An outer layer threw: nobody will read what there is. */
  async abandon(reason: unknown): Promise<void> {
    this.#returned = true;
    this.#thrown = { status: "failed", error: reason };
    await this.#flow?.cancel(reason);
  }

  branch(callNext: CallNext, by: Frame<K>): Branch<K> {
    const id = this.run.identify(this.kind, this.id);
    const call = new Call(this.kind, id, this.run, this.core, this.attempts?.branch());
    this.run.adopt(call, id);
    const opening: Opening<K> = { shared: call };
    by.opening ??= [];
    by.opening.push(opening);
    const answered = call.#answer(callNext);
    answered.catch(() => {}); // told to whoever waits for it
    return {
      answered,
      take: () => this.#take(call),
      giveUp: (reason) => {
        opening.frame?.end(reason);
        this.#gaveUp = true;
        void call.#flow?.cancel(reason);
        call.attempts?.replaced(by.depth);
      },
    };
  }

  /** The answer of a branch. */
  async #answer(callNext: CallNext): Promise<Flow<Chunk<K>, Final<K>>> {
    try {
      await callNext();
      return this.end(false);
    } catch (error) {
      await this.abandon(error);
      throw error;
    } finally {
      this.leave();
    }
  }

  /** Takes over a branch: what became of it is what became of this call. */
  #take(branch: Call<K>): void {
    this.#flow = branch.#flow;
    this.#reached = branch.#reached;
    this.#byLayer = branch.#byLayer;
    if (branch.attempts !== undefined) this.attempts?.take(branch.attempts);
  }

  /** Cancels the call. The run's signal tells its layers. */
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

  /** Lets the call go: its layers have returned. */
  leave(): void {
    this.run.release(this);
    this.#left?.();
  }

  /** The answer as it was, of one that was read; undefined of any other. */
  #again(): Answer<K> | undefined {
    const settlement = this.#flow?.settlement;
    if (settlement?.status === "suspended") return { suspended: settlement.pending };
    if (settlement?.status !== "completed") return undefined;
    const value = settlement.final;
    return this.#flow?.isError === true ? { value, isError: true } : { value };
  }

  #open(answer: Answer<K>, replaced?: Flow<Chunk<K>, Final<K>>): void {
    this.#flow = this.#flowOf(answer, replaced);
  }

  #flowOf(answer: Answer<K>, replaced?: Flow<Chunk<K>, Final<K>>): Flow<Chunk<K>, Final<K>> {
    const flow = new Flow<Chunk<K>, Final<K>>(answer as Answer<Kind>, codecOf(this.kind), this.run, replaced);
    flow.byLayer = this.#byLayer;
    this.run.adopt(flow, this.id);
    return flow;
  }

  /** Closes what a late answer streams from, since nobody will read it. */
  #letGo(answer: Answer<K>, reason: unknown): void {
    void new Flow(answer as Answer<Kind>, codecOf(this.kind), this.run).cancel(reason);
  }

  /** A stage of an attempt that was given up learns how that ended. */
  #tellOver(stage: Stage<Chunk<K>, Final<K>>, reason: unknown): void {
    if (stage.settle === undefined) return;
    const telling = async (): Promise<void> => stage.settle?.({ status: "cancelled", reason });
    this.run.await(telling().catch((error: unknown) => this.run.fault("settle", error)));
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
    setAttempt(this.id, frame);
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
