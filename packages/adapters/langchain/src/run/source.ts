import type { Delta, Invocation } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import { ambientStorage } from "@suite/core/framework";
import { explodeReply } from "@suite/core/messages";
import { DeltaSource } from "../async/delta-source.js";
import { finishOf, notesKey } from "../run-notes.js";
import type { AgentCall } from "./call.js";
import type { AgentChunks } from "./chunks.js";
import { unwrapped } from "./errors.js";

/** A function that opens a stream of the graph. */
export type Open = (input: unknown) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

/**
 * A source of deltas: the stream of a graph, for the `agent` layers. The reply is added at the end, for the layers
 * only, if its text was not streamed.
 */
export class AgentSource implements AsyncIterable<Delta, Suspended | undefined> {
  /** The interrupt of a graph that is part of another graph. */
  interrupt: { readonly error: unknown } | undefined;
  #upstream: AsyncIterator<unknown> | undefined;
  #stopped = false;
  /** The end, if only the reply is left before it. */
  #end: End | undefined;

  constructor(
    readonly call: AgentCall,
    readonly invocation: Invocation<"agent">,
    readonly chunks: AgentChunks,
    readonly open: Open,
  ) {}

  /** Starts the stream. From here the graph works, whether it is read or not. */
  async start(input: unknown): Promise<void> {
    const { runtime, call } = this.invocation;
    const opened = (): ReturnType<Open> => this.open(input);
    const ambient = ambientStorage();
    const stream = await (ambient === undefined ? opened() : ambient.run({ runtime, call }, opened));
    this.#upstream = stream[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, Suspended | undefined> {
    return new DeltaSource(
      () => this.#pull(),
      () => {
        this.#stopped = true;
        return this.#close();
      },
    );
  }

  async #close(): Promise<void> {
    const { signal } = this.invocation.runtime;
    try {
      await this.#upstream?.return?.();
    } catch (error) {
      // A graph that was aborted also fails when it is closed. The error was reported already.
      if (!signal.aborted || error !== signal.reason) throw error;
    }
  }

  /** Returns the deltas of the next chunk. After the last chunk returns those of the reply, and then the end. */
  #pull(): Promise<readonly Delta[] | End> {
    if (this.#end !== undefined || this.#upstream === undefined) return Promise.resolve(this.#end ?? over);
    return this.#upstream.next().then(this.#read, this.#interrupted);
  }

  readonly #read = (step: IteratorResult<unknown>): readonly Delta[] | Promise<readonly Delta[] | End> =>
    step.done === true ? this.#ended() : this.chunks.read(step.value);

  readonly #interrupted = (error: unknown): End => {
    const waits = this.call.interruptedBy(this.invocation.call, error);
    if (waits === undefined) throw unwrapped(error);
    this.interrupt = { error };
    return { done: true, value: waits };
  };

  /** Handles the end of the graph's stream. Continues the graph if layers answered its interrupts. */
  async #ended(): Promise<readonly Delta[] | End> {
    const stop = this.#stopped ? undefined : await this.call.stopped(this.invocation.call);
    if (stop !== undefined && "pending" in stop) return { done: true, value: { suspended: stop.pending } };
    if (stop === undefined) {
      this.#end = over;
      return this.#reply();
    }
    await this.start(stop.command);
    return this.#pull();
  }

  #reply(): readonly Delta[] {
    const { reply } = this.call.run.get(notesKey);
    if (reply === undefined) return [];
    const parts = this.chunks.texts
      ? []
      : explodeReply({ message: reply.message }).filter(({ type }) => type === "part");
    return [...parts, { type: "finish", ...finishOf(this.call.run) }];
  }
}

type End = IteratorReturnResult<Suspended | undefined>;

const over: End = { done: true, value: undefined };
