import type { Answer, Branch, Invocation } from "../contract/call.js";
import type { CallId, Chunk, Final, Kind, Request } from "../contract/kinds.js";
import type { Outcome, Stage } from "../contract/outcome.js";
import type { CallNext } from "../contract/protocol.js";
import { signalAbove } from "./background.js";
import { cancelled } from "./ending.js";
import type { Run } from "./run.js";

/** The state of an attempt that is told to stop, or may be. */
interface Attempt {
  /** The reason why a layer outside has given it up. */
  givenUp?: { readonly reason: unknown };
  /** The reason why the core has told what it began itself to stop: it may answer all the same. */
  stopped?: { readonly reason: unknown };
  controller?: AbortController;
  signal?: AbortSignal;
}

/** A call as its frames use it, which all its layers share: `Call`. */
export interface SharedCall<K extends Kind> {
  readonly kind: K;
  readonly id: CallId;
  readonly run: Run;
  readonly reached: Request<K> | undefined;
  /** The answer as a layer sees it. */
  readonly seen: Outcome<Chunk<K>, Final<K>> | undefined;
  respond(answer: Answer<K>, frame: Frame<K>): void;
  pipe(stage: Stage<Chunk<K>, Final<K>>, frame: Frame<K>): void;
  /** Whether the core was entered with this frame. */
  isCore(frame: Frame<K>): boolean;
  /** Hears that a layer gave up what it had begun. */
  gaveUp(frame: Frame<K>): void;
  enter(frame: Frame<K>): Promise<void>;
  /** Begins a call of its own within this one, beside what a layer has begun already. */
  branch(callNext: CallNext, frame: Frame<K>): Branch<K>;
  /** The attempts, where somebody has to be told of them. */
  readonly attempts: { again(outside: number): void } | undefined;
}

/** A branch that a layer has begun: the call that its frames share, and the first of them, once it has come inward. */
export interface Opening<K extends Kind> {
  readonly shared: SharedCall<K>;
  frame?: Frame<K>;
}

/** The call as one layer sees it: one attempt, as far as the layers outside are concerned. */
export class Frame<K extends Kind> implements Invocation<K> {
  /** The frame that this layer's `callNext` has begun last. */
  #inner: Frame<K> | undefined;
  /** The request that it was begun with; before that, the one that came in. */
  #handedOn: Request<K>;
  /** @internal The branches whose `callNext` has not come inward yet. */
  opening: Opening<K>[] | undefined;
  /** The attempt, made where somebody asks for the signal, or ends it: a frame is made for each layer of each call. */
  #attempt: Attempt | undefined;

  constructor(
    readonly shared: SharedCall<K>,
    public request: Request<K>,
    readonly outer?: Frame<K>,
  ) {
    this.#handedOn = request;
  }

  /** The number of layers outside of this one. */
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

  /** Tells the core to stop. A layer that has begun nothing has nothing to stop. */
  #stop(reason: unknown): void {
    if (!this.shared.isCore(this)) return;
    this.#attempt ??= {};
    this.#attempt.stopped ??= { reason };
    this.#attempt.controller?.abort(reason);
  }

  /** @internal Why this attempt is none any more: somebody outside has given it up. */
  get over(): { readonly reason: unknown } | undefined {
    return this.#attempt?.givenUp ?? this.outer?.over;
  }

  /** @internal Nobody wants the answer of this attempt any more. */
  end(reason: unknown): void {
    this.#attempt ??= {};
    this.#attempt.givenUp ??= { reason };
    this.#attempt.controller?.abort(reason);
  }

  /** @internal Whether the layer put what it asks elsewhere in place of the request that it was given, or handed on. */
  get asksElsewhere(): boolean {
    return this.request !== this.#handedOn;
  }

  /** @internal What the layer has begun was given up, so that it may begin again, or go on without it. */
  get mayGoOn(): boolean {
    return this.#inner?.over !== undefined || this.opening?.[0] !== undefined;
  }

  /** @internal Hands the current request on: the layer further in may replace its own without this one seeing it. */
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
