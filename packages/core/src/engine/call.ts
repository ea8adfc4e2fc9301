import type { Answer, Branch, CallCore } from "../contract/call.js";
import type { CallId, Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome, Settlement, Stage } from "../contract/outcome.js";
import type { CallNext } from "../contract/protocol.js";
import { setAttempt } from "../contract/signal.js";
import { CoreError } from "../errors.js";
import type { Attempts } from "./attempts.js";
import { checkClient } from "./client.js";
import { codecOf } from "./codec.js";
import { cancelled, settleStage } from "./ending.js";
import { Flow } from "./flow.js";
import type { Frame, Opening } from "./frame.js";
import { limited } from "./limit.js";
import { notAwaited, tooLate } from "./onion.js";
import type { Open } from "./open-work.js";
import type { Run } from "./run.js";
import { replay, type Source } from "./upstream.js";

/** The shared state of one call's layers. */
export class Call<K extends Kind> implements Open {
  #flow: Flow<Chunk<K>, Final<K>> | undefined;
  #reached: Frame<K> | undefined;
  /** The core's frame in the last attempt. */
  #innermost: Frame<K> | undefined;
  /** True if the current answer came from a layer. */
  #byLayer = false;
  #returned = false;
  #thrown: Settlement<never> | undefined;
  #gaveUp = false;
  #leaving: Promise<void> | undefined;
  #leave: (() => void) | undefined;

  constructor(
    readonly kind: K,
    readonly id: CallId,
    readonly run: Run,
    readonly core: CallCore<K>,
    /** Kept only if they must be reported. */
    readonly attempts: Attempts<K> | undefined,
  ) {}

  /** The answer that can still be read. If a layer has read it to its end, a new one with the same chunks is made. */
  get answer(): Flow<Chunk<K>, Final<K>> | undefined {
    const again = this.#again();
    if (again !== undefined) this.#flow = this.#flowOf(again);
    return this.#flow;
  }

  /** The answer as a layer sees it. If it was read, its settlement is known, and it can be read again. */
  get seen(): Outcome<Chunk<K>, Final<K>> | undefined {
    const again = this.#again();
    const flow = this.#flow;
    if (flow && again) {
      flow.streaming &&= flow.failedAt !== undefined; // so that an outer layer that tries again finds the error
      flow.again = () => this.#flowOf(again);
    }
    return flow;
  }

  /** The settlement of the call, or `undefined` while it is open. */
  get settlement(): Settlement<Final<K>> | undefined {
    return this.#thrown ?? this.#flow?.settlement;
  }

  /** The core's request. If the core failed, the request of the layer that answered. */
  get reached(): Request<K> | undefined {
    return this.#reached?.request;
  }

  /** True if the core was entered with this frame. */
  isCore(frame: Frame<K>): boolean {
    return this.#innermost === frame;
  }

  /** Enters the innermost call. An answer of an earlier attempt is closed first. */
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
      void this.#flowOf(answer).cancel(over.reason); // closes its source
      return;
    }
    if (this.#returned) {
      void this.#flowOf(answer).cancel(undefined);
      this.#late();
    }
    if (answer === undefined || !("value" in answer || "stream" in answer || "suspended" in answer)) {
      throw new CoreError("ERR_NO_ANSWER", "respond() takes { value }, { stream } or { suspended }.");
    }
    this.#byLayer = by !== this.#innermost;
    const failed = this.#flow === undefined || this.#flow.failedAt !== undefined;
    this.#flow = this.#flowOf(answer, this.#flow);
    if (by === this.#innermost) this.attempts?.answered(this.#flow as never);
    else if (this.#reached !== undefined && failed) {
      // A layer that answers by itself, for example from a cache, has made no request.
      this.#reached = by.asksElsewhere ? by : undefined;
      this.attempts?.replaced(by.depth);
    }
  }

  pipe(stage: Stage<Chunk<K>, Final<K>>, by: Frame<K>): void {
    const { over } = by;
    if (over !== undefined) {
      const settling = settleStage(stage, { status: "cancelled", reason: over.reason }, this.run);
      if (settling !== undefined) this.run.await(settling);
      return;
    }
    if (this.#returned) this.#late();
    const { answer } = this;
    if (answer === undefined) {
      throw new CoreError(
        "ERR_PIPE_WITHOUT_ANSWER",
        `pipe() in a ${this.kind} layer: no answer yet. Await callNext().`,
      );
    }
    answer.pipe(stage);
  }

  /**
   * Returns the answer after all layers have returned, or throws if no answer exists.
   *
   * @param certain true if no layer is still running.
   */
  end(certain: boolean): Flow<Chunk<K>, Final<K>> {
    this.#returned = true;
    const { answer } = this;
    if (answer) {
      answer.kept = undefined;
      return answer;
    }
    if (this.#reached !== undefined && !certain) throw notAwaited(`the ${this.kind} call`);
    throw new CoreError(
      "ERR_NO_ANSWER",
      `No layer of the ${this.kind} call has answered, nor its core. Await callNext(), or respond().`,
    );
  }

  /** Called when a layer gave up its inner call. An answer that arrived meanwhile is discarded. */
  gaveUp(by: Frame<K>): void {
    this.#gaveUp = true;
    const answered = this.#reached;
    if (this.#flow === undefined || answered?.over === undefined) return;
    const flow = this.#flow;
    const { reason } = answered.over;
    // A consumer that already reads it receives the reason.
    void (flow.begun ? flow.fail(reason) : flow.cancel(reason));
    if (this.#returned) return;
    this.#flow = undefined;
    if (this.#reached === answered) this.#reached = by;
  }

  /** True if a layer need not await its inner call. */
  get hasGivenUp(): boolean {
    return this.#gaveUp;
  }

  /** Cancels the answer after an outer layer threw: it will not be read. */
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
    answered.catch(() => {}); // `answered` is returned; this only prevents an unhandled rejection
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

  /** Resolves to the answer of a branch. */
  async #answer(callNext: CallNext): Promise<Flow<Chunk<K>, Final<K>>> {
    try {
      await callNext();
      const flow = this.end(false);
      flow.kept = []; // the layer that began the branch may read it
      return flow;
    } catch (error) {
      await this.abandon(error);
      throw error;
    } finally {
      this.leave();
    }
  }

  /** Takes over a branch: its result becomes this call's. */
  #take(branch: Call<K>): void {
    this.#flow = branch.#flow;
    this.#reached = branch.#reached;
    this.#byLayer = branch.#byLayer;
    if (branch.attempts !== undefined) this.attempts?.take(branch.attempts);
  }

  /** Cancels the call. Its layers learn of it through the run's signal. */
  doom(): void {
    void this.cancel();
  }

  /** Waits until the layers have returned, with a time limit. */
  cancel(): Promise<void> {
    this.#leaving ??= limited(
      new Promise<void>((resolve) => {
        this.#leave = resolve;
      }),
    ).then(() => this.run.release(this));
    return this.#leaving;
  }

  /** Releases the call: its layers have returned. */
  leave(): void {
    this.run.release(this);
    this.#leave?.();
  }

  /** Returns the answer again if a layer has read it. A stream has the same chunks and ends in the same way. */
  #again(): Source | undefined {
    const flow = this.#flow;
    const settlement = flow?.settlement;
    if (settlement === undefined) return undefined;
    const { kept, isError } = flow as Flow<Chunk<K>, Final<K>>;
    if (kept) return { stream: replay(kept, settlement) };
    if (settlement.status === "suspended") return { suspended: settlement.pending };
    return settlement.status === "completed" ? { value: settlement.final, isError } : undefined;
  }

  #flowOf(answer: Source, replaced?: Flow<Chunk<K>, Final<K>>): Flow<Chunk<K>, Final<K>> {
    const flow = new Flow<Chunk<K>, Final<K>>(answer, codecOf(this.kind), this.run, replaced);
    flow.byLayer = this.#byLayer;
    this.run.adopt(flow, this.id);
    return flow;
  }

  #enter(frame: Frame<K>): Promise<void> {
    const { attempts } = this;
    if (attempts === undefined) return this.#ask(frame);
    attempts.begin(frame);
    const running = this.#ask(frame);
    running.then(undefined, (error) => attempts.threw(error));
    return running;
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

  /** Fails the answer if a layer changes it after the call has returned: a guard would have been bypassed. */
  #late(): never {
    const error = notAwaited(`the ${this.kind} call`);
    void this.#flow?.fail(error);
    throw error;
  }
}
