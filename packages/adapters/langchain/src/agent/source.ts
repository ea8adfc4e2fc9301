import { type Delta, explodeReply, type Invocation, type Suspended } from "@suite/core";
import { ambientStorage } from "@suite/core/framework";
import type { AgentCall } from "./call.js";
import type { AgentChunks } from "./chunks.js";
import { unwrapped } from "./errors.js";
import { finishOf, notesKey } from "./state.js";

/** A function that opens a stream of the graph. */
export type Open = (given: unknown) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

/**
 * A source of deltas: what a graph streams, for the layers of `agent`. At the end stands the reply, for layers alone, where its text
 * was not among what streamed.
 */
export class AgentSource implements AsyncIterable<Delta, Suspended | undefined> {
  /** The interrupt of a graph that is a part of another. */
  interrupt: { readonly error: unknown } | undefined;
  #upstream: AsyncIterator<unknown> | undefined;
  #stopped = false;

  constructor(
    readonly call: AgentCall,
    readonly invocation: Invocation<"agent">,
    readonly chunks: AgentChunks,
    readonly open: Open,
  ) {}

  /** Begins to stream. The graph works from here on, whether it is read or not. */
  async start(given: unknown): Promise<void> {
    const { runtime, call } = this.invocation;
    const opened = (): ReturnType<Open> => this.open(given);
    const ambient = ambientStorage();
    const stream = await (ambient === undefined ? opened() : ambient.run({ runtime, call }, opened));
    this.#upstream = stream[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, Suspended | undefined> {
    const deltas = this.#deltas();
    return {
      next: () => deltas.next(),
      // The generator cannot return while it waits for the graph: that is told first.
      return: async () => {
        this.#stopped = true;
        await this.#close();
        return deltas.return(undefined);
      },
    };
  }

  async #close(): Promise<void> {
    const { signal } = this.invocation.runtime;
    try {
      await this.#upstream?.return?.();
    } catch (error) {
      // A graph that was aborted fails whoever closes it, too. That is told already.
      if (!signal.aborted || error !== signal.reason) throw error;
    }
  }

  async *#deltas(): AsyncGenerator<Delta, Suspended | undefined> {
    const { call, invocation } = this;
    for (;;) {
      try {
        yield* this.#chunks();
      } catch (error) {
        const waits = call.interruptedBy(invocation.call, error);
        if (waits === undefined) throw unwrapped(error);
        this.interrupt = { error };
        return waits;
      }
      const stop = this.#stopped ? undefined : await call.stopped(invocation.call);
      if (stop === undefined) break;
      if ("pending" in stop) return { suspended: stop.pending };
      await this.start(stop.command);
    }
    yield* this.#reply();
    return undefined;
  }

  async *#chunks(): AsyncGenerator<Delta> {
    for (;;) {
      const step = await this.#upstream?.next();
      if (step === undefined || step.done === true) return;
      yield* this.chunks.read(step.value);
    }
  }

  *#reply(): Generator<Delta> {
    const { reply } = this.call.run.get(notesKey);
    if (reply === undefined) return;
    if (!this.chunks.texts) {
      for (const delta of explodeReply({ message: reply.message })) if (delta.type === "part") yield delta;
    }
    yield { type: "finish", ...finishOf(this.call.run) };
  }
}
