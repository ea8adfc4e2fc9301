import type { Awaitable } from "./protocol.js";
import type { Pending, Suspended } from "./suspension.js";

/**
 * A pull-driven answer with one consumer: iterate it, or ask for `final()`. A plain value is the same thing, with
 * all its chunks ready, so that no guard can be bypassed by streaming, or by not streaming.
 * Iterating a suspended one ends with `{ suspended }` as its return value, so that `yield*` and `respond({ stream })` pass it on.
 */
export interface Outcome<out Chunk, out Final> extends AsyncIterable<Chunk, Suspended | undefined> {
  /** The answer came as a stream. */
  readonly streaming: boolean;
  /** The answer is one of failure: `respond({ value, isError: true })`. */
  readonly isError?: boolean;
  /** A layer gave the answer, by `respond`, and not the innermost call. */
  readonly byLayer?: boolean;
  /**
   * Pulls the source's chunks up to the first that shows something, and keeps them, ahead of every stage. Events, and empty
   * pieces by which a part begins, show nothing. Rejects if the source fails before it: the place to retry.
   */
  ready(): Promise<void>;
  /** Drains what is left, or waits for the consumer there is; the value built from what was let through. Rejects when suspended. */
  final(): Promise<Final>;
  /**
   * The settlement of the answer; never rejects. Resolves also when nobody reads: at the latest when the run ends. A
   * layer that awaits it reads the answer first, or waits for a reader who waits for the layer.
   */
  readonly settled: Promise<Settlement<Final>>;
}

/** Hands one chunk to the next stage out. Valid until the stage's own call has returned. */
export type Emit<Chunk> = (chunk: Chunk) => void;

/** A stage: what a layer does with an answer. Every member is optional, and one that is absent costs nothing. */
export interface Stage<in out Chunk, in Final> {
  /** Takes one chunk and emits zero or more. Returning nothing keeps the stream on its synchronous path. */
  chunk?(chunk: Chunk, emit: Emit<Chunk>): Awaitable<void>;
  /** The source ended by itself, or was suspended: release what was held back. */
  flush?(emit: Emit<Chunk>, suspended: boolean): Awaitable<void>;
  /** Exactly once, after everything else, however it ended, read or not. It is waited for, though not for ever. `final` is what this stage let through. One that throws is reported and stops no other. */
  settle?(settlement: Settlement<Final>): Awaitable<void>;
  /** Wraps each pull, so that ambient context (the active span) reaches a lazy producer. */
  around?<T>(pull: () => Promise<T>): Promise<T>;
}

/**
 * The end of a whole run. `cancelled`: aborted, or nobody read it to its end. `terminated`: a layer ended it on purpose, by
 * a `MiddlewareTermination`, with an answer of its own or without one.
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
