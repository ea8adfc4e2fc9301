import type { Answer, Branch, Invocation } from "../contract/call.js";
import type { CallId, Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome, Settlement, Stage } from "../contract/outcome.js";
import type { CallNext } from "../contract/protocol.js";
import { signalAbove } from "./background.js";
import { cancelled } from "./ending.js";
import type { Run } from "./run.js";

/** The state of an attempt that may be stopped. */
interface Attempt {
  /** Present if an outer layer has given up the attempt. */
  givenUp?: { readonly reason: unknown };
  /** Present if the core has aborted its work. It may still answer. */
  stopped?: { readonly reason: unknown };
  controller?: AbortController;
  signal?: AbortSignal;
}

/** A call as its frames see it. Shared by all its layers: `Call`. */
export interface SharedCall<K extends Kind> {
  readonly kind: K;
  readonly id: CallId;
  readonly run: Run;
  readonly reached: Request<K> | undefined;
  /** The answer as a layer sees it. */
  readonly seen: Outcome<Chunk<K>, Final<K>> | undefined;
  respond(answer: Answer<K>, frame: Frame<K>): void;
  pipe(stage: Stage<Chunk<K>, Final<K>>, frame: Frame<K>): void;
  /** True if the core was entered with this frame. */
  isCore(frame: Frame<K>): boolean;
  /** Called when a layer gave up its inner call. */
  gaveUp(frame: Frame<K>): void;
  enter(frame: Frame<K>): Promise<void>;
  /** Begins a separate call within this one, in parallel with others of the layer. */
  branch(callNext: CallNext, frame: Frame<K>): Branch<K>;
  /** The attempts, if they must be reported. */
  readonly attempts: { again(outside: number): void } | undefined;
}

/** A branch that a layer has begun: its shared call and, once the inner layer is entered, its first frame. */
export interface Opening<K extends Kind> {
  readonly shared: SharedCall<K>;
  frame?: Frame<K>;
}

/** The call as one layer sees it. For the outer layers it is one attempt. */
export class Frame<K extends Kind> implements Invocation<K> {
  /** The frame that the last `callNext` of this layer began. */
  #inner: Frame<K> | undefined;
  /** The last request passed inward. Before that, the received one. */
  #handedOn: Request<K>;
  /** @internal Branches whose inner layer is not entered yet. */
  opening: Opening<K>[] | undefined;
  /** The attempt, created when its signal is read or it is ended, since every layer of every call creates a frame. */
  #attempt: Attempt | undefined;

  constructor(
    readonly shared: SharedCall<K>,
    public request: Request<K>,
    readonly outer?: Frame<K>,
  ) {
    this.#handedOn = request;
  }

  /** The number of layers outside this one. */
  get depth(): number {
    return this.outer === undefined ? 0 : this.outer.depth + 1;
  }
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
  get streamed(): boolean {
    return this.result?.streaming === true;
  }
  async ended(): Promise<Settlement<Final<K>> | undefined> {
    const { result } = this;
    await result?.final().catch(() => {}); // the settlement contains the error
    return result?.settled;
  }
  get signal(): AbortSignal {
    this.#attempt ??= {};
    const attempt = this.#attempt;
    if (attempt.signal === undefined) {
      attempt.controller = new AbortController();
      const over = attempt.stopped ?? attempt.givenUp;
      if (over !== undefined) attempt.controller.abort(over.reason);
      const around = this.outer?.signal ?? signalAbove(this.call, this.runtime) ?? this.runtime.signal;
      attempt.signal = AbortSignal.any([around, attempt.controller.signal]);
    }
    return attempt.signal;
  }
  respond(answer: Answer<K>): void {
    this.shared.respond(answer, this);
  }
  pipe(stage: Stage<Chunk<K>, Final<K>>): void {
    this.shared.pipe(stage, this);
  }
  get branch(): Invocation<K>["branch"] {
    if (this.kind !== "model" || !this.shared.run.takesBranches) return undefined;
    return (callNext) => this.shared.branch(callNext, this);
  }
  giveUp(reason: unknown): void {
    const inner = this.#inner;
    if (inner === undefined) this.#stop(reason);
    else if (inner.#attempt?.givenUp === undefined) {
      inner.end(reason);
      this.shared.gaveUp(this);
    }
  }

  /** Aborts the core's work. A layer that has begun nothing has nothing to stop. */
  #stop(reason: unknown): void {
    if (!this.shared.isCore(this)) return;
    this.#attempt ??= {};
    this.#attempt.stopped ??= { reason };
    this.#attempt.controller?.abort(reason);
  }

  /** @internal The reason why an outer layer gave up this attempt, if it did. */
  get over(): { readonly reason: unknown } | undefined {
    return this.#attempt?.givenUp ?? this.outer?.over;
  }

  /** @internal Ends this attempt: its answer is not needed any more. */
  end(reason: unknown): void {
    this.#attempt ??= {};
    this.#attempt.givenUp ??= { reason };
    this.#attempt.controller?.abort(reason);
  }

  /**
   * @internal True if the layer replaced its request after it received it or last passed it on: it answers from
   * elsewhere.
   */
  get asksElsewhere(): boolean {
    return this.request !== this.#handedOn;
  }

  /**
   * @internal True if the layer's inner call was given up, or a branch is about to begin. It may then call `callNext`
   * again without awaiting the first.
   */
  get mayGoOn(): boolean {
    return this.#inner?.over !== undefined || this.opening?.[0] !== undefined;
  }

  /**
   * @internal Creates the next frame with the current request. The inner layer may replace its request without changing
   * this one.
   */
  inward(): Frame<K> {
    const branch = this.opening?.shift();
    if (branch === undefined) this.#inner?.end(cancelled("The call was tried again."));
    this.#handedOn = this.request;
    const frame = new Frame(branch?.shared ?? this.shared, this.request, this);
    if (branch === undefined) this.#inner = frame;
    else branch.frame = frame;
    return frame;
  }
}

export const inward = <K extends Kind>(frame: Frame<K>): Frame<K> => frame.inward();

/** The core of every onion of calls. */
export const enter = <K extends Kind>(frame: Frame<K>): Promise<void> => frame.shared.enter(frame);
