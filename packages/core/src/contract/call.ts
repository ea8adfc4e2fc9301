import type { CallId, Chunk, Final, Kind, Request } from "./kinds.js";
import type { Outcome, Stage } from "./outcome.js";
import type { CallNext } from "./protocol.js";
import type { RuntimeContext } from "./runtime.js";
import type { Suspended } from "./suspension.js";

/** One of several calls that a layer has begun beside each other, by `branch`. */
export interface Branch<K extends Kind> {
  /** The answer, when the layers inside have returned; rejects with what they threw. */
  readonly answered: Promise<Outcome<Chunk<K>, Final<K>>>;
  /** Makes what became of it, an answer or an error, that of this call. The layer still throws the error by itself. */
  take(): void;
  /** Gives it up: its signal aborts with the reason, and whatever it still answers is let go. */
  giveUp(reason: unknown): void;
}

/** One call as one layer sees it: requests flow inward by value, the result outward by reference. */
export interface Invocation<K extends Kind> {
  readonly kind: K;
  readonly call: CallId;
  readonly runtime: RuntimeContext;
  /** Replace it, never mutate it. Only inner layers see the replacement, so that a retry starts clean. */
  request: Request<K>;
  /**
   * The request of the innermost call, after all layers; undefined as long as it was not entered. Where it failed and a
   * layer answered instead, that layer's request, if it replaced it since: a fallback does, by what it asks elsewhere.
   * One that asked nobody, such as a cache, leaves its request as it is, and this undefined.
   */
  readonly reached: Request<K> | undefined;
  /**
   * Aborts when this attempt is given up, by a retry, a timeout, a faster answer or a consumer who stops reading, and when
   * the run ends. Made when it is first asked for. Give it to whatever works for this call alone.
   */
  readonly signal: AbortSignal;
  /**
   * Gives up what this layer's `callNext()` has begun: its signal aborts with the reason, and whatever it still answers is
   * let go; a stream that is read already fails with the reason. The layer then need not await that `callNext()`; it answers
   * by itself, calls it again, or throws. In the innermost call: tells whatever that has begun itself to stop, by the signal, and it answers, or throws.
   *
   * @example
   * ```ts
   * const late = new Promise<never>((_, reject) => setTimeout(() => reject(new TimeoutError()), 5000));
   * try {
   *   await Promise.race([callNext(), late]);
   * } catch (error) {
   *   if (error instanceof TimeoutError) invocation.giveUp(error);
   *   throw error;
   * }
   * ```
   */
  giveUp(reason: unknown): void;
  /**
   * Calls `callNext` beside what this layer has begun in the same way: as a call of its own within this one, whose answer
   * nobody outside sees unless it is taken. For a layer that asks a model twice at once, and takes the answer that is there
   * first. Of `model` alone; undefined where the adapter can ask only once at a time.
   *
   * @example
   * ```ts
   * const [first, second] = [branch(callNext), branch(callNext)];
   * await Promise.race([first, second].map(async ({ answered }) => (await answered).ready()));
   * ```
   */
  readonly branch?: ((callNext: CallNext) => Branch<K>) | undefined;
  /** The answer; undefined until the core, or a layer, has answered. */
  readonly result: Outcome<Chunk<K>, Final<K>> | undefined;
  /** Answers in place of the inner layers. An answer already there is closed and settles as cancelled, unless the new one reads it. */
  respond(answer: Answer<K>): void;
  /** Observes or rewrites the answer already there: stages of inner layers run before those of outer ones. */
  pipe(stage: Stage<Chunk<K>, Final<K>>): void;
}

/** The innermost call, which the adapter makes in the end: asks the model, runs the tool, and calls `invocation.respond`. */
export type CallCore<K extends Kind> = (invocation: Invocation<K>) => Promise<void>;

/** Discriminated by `kind`, for a layer that serves several kinds. */
export type AnyInvocation = { [K in Kind]: Invocation<K> }[Kind];

/** An answer of a layer, or of the core. */
export type Answer<K extends Kind> =
  /** `isError`: the call failed, and the value says why. Of tools: the model is told so. */
  | { readonly value: Final<K>; readonly isError?: boolean }
  | { readonly stream: AsyncIterable<Chunk<K>, Suspended | void> }
  | Suspended;
