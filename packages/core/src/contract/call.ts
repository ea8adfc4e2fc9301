import type { CallId, Chunk, Final, Kind, Request } from "./kinds.js";
import type { Outcome, Settlement, Stage } from "./outcome.js";
import type { CallNext } from "./protocol.js";
import type { RuntimeContext } from "./runtime.js";
import type { Suspended } from "./suspension.js";

/** One of several parallel calls that a layer has begun with `branch`. */
export interface Branch<K extends Kind> {
  /** Resolves to the answer when the inner layers have returned. Rejects with their error. */
  readonly answered: Promise<Outcome<Chunk<K>, Final<K>>>;
  /** Makes this branch's answer or error the result of the call. The layer still throws the error itself. */
  take(): void;
  /** Gives up this branch: its signal aborts with the reason, and a later answer is discarded. */
  giveUp(reason: unknown): void;
}

/** One call as one layer sees it: requests flow inward by value, the result outward by reference. */
export interface Invocation<K extends Kind> {
  readonly kind: K;
  readonly call: CallId;
  readonly runtime: RuntimeContext;
  /**
   * Replace the request, never mutate it. Only inner layers see the replacement, so that a retry starts from the
   * original.
   */
  request: Request<K>;
  /**
   * The request of the innermost call, after all layers. `undefined` until that call is entered. If it failed and a
   * layer answered from elsewhere with a changed request (a fallback), that request. A layer that answers without a
   * call, such as a cache, leaves this `undefined`.
   */
  readonly reached: Request<K> | undefined;
  /**
   * Aborts when the run ends or when this attempt is given up: by a retry, a timeout, a faster answer, or a consumer
   * that stops reading. Created on first access. Pass it to work that is done for this call alone.
   */
  readonly signal: AbortSignal;
  /**
   * Gives up the call that this layer began with `callNext()`: its signal aborts with the reason, and a later answer is
   * discarded. A stream that is already being read fails with the reason. The layer need not await that `callNext()`:
   * it answers itself, calls it again, or throws. In the innermost call, this aborts the work through the signal; that
   * call still answers or throws.
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
   * Calls `callNext` in parallel with other branches, as a separate call within this one. Its answer is not visible
   * outside unless the layer takes it. Use it to send two model requests at once and take the first answer. Only for
   * `model`; `undefined` if the adapter can make only one call at a time.
   *
   * @example
   * ```ts
   * const [first, second] = [branch(callNext), branch(callNext)];
   * await Promise.race([first, second].map(async ({ answered }) => (await answered).ready()));
   * ```
   */
  readonly branch?: ((callNext: CallNext) => Branch<K>) | undefined;
  /** The answer. `undefined` until the core or a layer has answered. */
  readonly result: Outcome<Chunk<K>, Final<K>> | undefined;
  /**
   * True if `callNext()` has returned when the answer began, because it is streamed. False if the answer has ended or
   * has not begun.
   */
  readonly streamed: boolean;
  /**
   * Waits for the end of the answer and returns its settlement, or `undefined` without an answer. Never rejects. A
   * streamed answer is held back until its end. Outer layers and the user then receive the same chunks. Use
   * `pipe({ settle })` to observe the end without holding the answer back.
   *
   * @example
   * ```ts
   * const start = performance.now();
   * await callNext();
   * const end = await invocation.ended();
   * console.log(end?.status, performance.now() - start);
   * ```
   */
  ended(): Promise<Settlement<Final<K>> | undefined>;
  /**
   * Answers instead of the inner layers. An existing answer is closed and settles as cancelled, unless the new one
   * reads it.
   */
  respond(answer: Answer<K>): void;
  /**
   * Adds a stage that observes or rewrites the existing answer. Stages of inner layers run before those of outer
   * layers.
   */
  pipe(stage: Stage<Chunk<K>, Final<K>>): void;
}

/** The innermost call, made by the adapter: calls the model or runs the tool, then calls `invocation.respond`. */
export type CallCore<K extends Kind> = (invocation: Invocation<K>) => Promise<void>;

/** Discriminated by `kind`, for a layer that serves several kinds. */
export type AnyInvocation = { [K in Kind]: Invocation<K> }[Kind];

/** An answer of a layer or of the core. */
export type Answer<K extends Kind> =
  /** `isError`: the call failed, and the value contains the reason. For tools, the model receives it. */
  | { readonly value: Final<K>; readonly isError?: boolean }
  | { readonly stream: AsyncIterable<Chunk<K>, Suspended | void> }
  | Suspended;
