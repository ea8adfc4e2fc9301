import type { Awaitable } from "./protocol.js";
import type { Pending, Suspended } from "./suspension.js";

/**
 * A pull-driven answer with one consumer: iterate it or call `final()`. A plain value is the same, with all its chunks
 * ready, so that no guard can be bypassed by streaming or by not streaming. Iterating a suspended answer ends with
 * `{ suspended }` as the return value, so that `yield*` and `respond({ stream })` pass it on.
 */
export interface Outcome<out Chunk, out Final> extends AsyncIterable<Chunk, Suspended | undefined> {
  /** True if the answer is a stream. */
  readonly streaming: boolean;
  /** True if the answer reports a failure: `respond({ value, isError: true })`. */
  readonly isError?: boolean;
  /** True if a layer answered with `respond`, and not the innermost call. */
  readonly byLayer?: boolean;
  /**
   * Pulls chunks up to the first with visible content, and keeps them, before any stage. Events and the empty pieces
   * that begin a part are not visible content. Rejects if the source fails before that: the place to retry.
   */
  ready(): Promise<void>;
  /**
   * Drains the rest, or waits for the current consumer. Returns the value built from the chunks that the stages passed
   * on. Rejects if the run is suspended.
   */
  final(): Promise<Final>;
  /**
   * The settlement of the answer. It never rejects, and resolves at the latest when the run ends, even if the answer is
   * not read. A layer that awaits it must read the answer first, or it deadlocks with a consumer that waits for the
   * layer.
   */
  readonly settled: Promise<Settlement<Final>>;
}

/** Passes one chunk to the next outer stage. Valid until the stage's call has returned. */
export type Emit<Chunk> = (chunk: Chunk) => void;

/**
 * A stage: the functions that a layer applies to an answer. Every member is optional, and an absent one costs nothing.
 */
export interface Stage<in out Chunk, in Final> {
  /** Takes one chunk and emits zero or more. Returning nothing keeps the stream synchronous. */
  chunk?(chunk: Chunk, emit: Emit<Chunk>): Awaitable<void>;
  /** Called when the source has ended by itself or was suspended. Emit the chunks that were held back. */
  flush?(emit: Emit<Chunk>, suspended: boolean): Awaitable<void>;
  /**
   * Called exactly once, after everything else, however the answer ended, read or not. It is awaited, but with a time
   * limit. `final` is the value after this stage. If it throws, the error is reported and the other stages still
   * settle.
   */
  settle?(settlement: Settlement<Final>): Awaitable<void>;
  /** Wraps each pull, so that ambient context (the active span) reaches a lazy producer. */
  around?<T>(pull: () => Promise<T>): Promise<T>;
}

/**
 * The end of a run. `cancelled`: it was aborted or not read to its end. `terminated`: a layer ended it with a
 * `MiddlewareTermination`, with or without an answer.
 */
export type RunSettlement =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly error: unknown }
  | { readonly status: "cancelled"; readonly reason: unknown }
  | { readonly status: "suspended"; readonly pending: readonly Pending[] }
  | { readonly status: "terminated"; readonly by: unknown };

/** The end of an outcome. */
export type Settlement<Final> =
  | { readonly status: "completed"; readonly final: Final }
  | { readonly status: "failed"; readonly error: unknown }
  /** Aborted, abandoned by its consumer, replaced, retried, or never read. */
  | { readonly status: "cancelled"; readonly reason: unknown }
  /** The run waits for a person, or for tools that run elsewhere. Not an error. */
  | { readonly status: "suspended"; readonly pending: readonly Pending[] };
