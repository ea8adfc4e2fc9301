import { IterableReadableStream } from "@langchain/core/utils/stream";
import type { Delta } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import type { AgentCall } from "./call.js";
import { AgentChunks } from "./chunks.js";
import { AgentSource, type Open } from "./source.js";

/** Implements `stream`, and `streamEvents` of version 2: streams the chunks of the graph after the layers. */
export async function stream(call: AgentCall, open: Open): Promise<IterableReadableStream<unknown>> {
  const chunks = new AgentChunks(call.config);
  let source: AgentSource | undefined;
  try {
    const outcome = await call.through(async (invocation) => {
      const begun = new AgentSource(call, invocation, chunks, open);
      source = begun;
      await begun.start(await call.finalInput(invocation));
      invocation.respond({ stream: begun });
    });
    const reader = new AnswerReader(call, outcome[Symbol.asyncIterator](), chunks, () => source?.interrupt);
    return new IterableReadableStream({
      pull: (controller) => reader.pull(controller),
      cancel: () => reader.cancel(),
    });
  } catch (error) {
    await call.end(false);
    throw error;
  }
}

/** Returns a stream that is opened when it is first read. */
export function deferredStream(begin: () => Promise<IterableReadableStream<unknown>>): IterableReadableStream<unknown> {
  let begun: Promise<IterableReadableStream<unknown>> | undefined;
  const reader = (): Promise<IterableReadableStream<unknown>> => {
    begun ??= begin();
    return begun;
  };
  return new IterableReadableStream({
    pull: async (controller) => enqueue(controller, await (await reader()).next()),
    cancel: async () => void (await (await begun)?.return()),
  });
}

/** A source that can be read and cancelled. */
interface Readable {
  next(): Promise<IteratorResult<unknown, unknown>>;
  cancel(reason?: unknown): Promise<void>;
}

/** Returns a LangChain stream that reads such a source. */
export const readable = (reader: Readable): IterableReadableStream<unknown> =>
  new IterableReadableStream({
    pull: (controller) => reader.next().then((step) => enqueue(controller, step)),
    cancel: (reason) => reader.cancel(reason),
  });

function enqueue(controller: ReadableStreamDefaultController<unknown>, step: IteratorResult<unknown, unknown>): void {
  if (step.done === true) controller.close();
  else controller.enqueue(step.value);
}

/** Reads the deltas after the layers for the consumer, and ends the run. */
class AnswerReader {
  #suspended: { readonly value: boolean } | undefined;

  constructor(
    readonly call: AgentCall,
    readonly deltas: AsyncIterator<Delta, Suspended | undefined>,
    readonly chunks: AgentChunks,
    readonly interrupt: () => { readonly error: unknown } | undefined,
  ) {}

  /** Enqueues all chunks of the next delta. */
  pull(controller: ReadableStreamDefaultController<unknown>): Promise<void> {
    if (this.#suspended !== undefined) return this.#end(controller, this.#suspended.value);
    return this.deltas.next().then(
      (step) => this.#stepped(controller, step),
      (error) => this.#failed(error),
    );
  }

  /** Ends the run. Running calls end first, from the innermost to the outermost. */
  cancel(): Promise<void> {
    return this.call.end(false);
  }

  #stepped(
    controller: ReadableStreamDefaultController<unknown>,
    step: IteratorResult<Delta, Suspended | undefined>,
  ): void | Promise<void> {
    try {
      if (step.done === true) this.#suspended = { value: step.value !== undefined };
      const chunks = step.done === true ? this.chunks.rest() : this.chunks.write(step.value);
      if (!this.call.reveals) return this.#enqueue(controller, chunks);
      return this.call.revealed(chunks).then(
        (all) => this.#enqueue(controller, all),
        (error) => this.#failed(error),
      );
    } catch (error) {
      return this.#failed(error);
    }
  }

  #enqueue(controller: ReadableStreamDefaultController<unknown>, chunks: readonly unknown[]): void | Promise<void> {
    for (const chunk of chunks) controller.enqueue(chunk);
    return chunks.length === 0 ? this.pull(controller) : undefined;
  }

  async #failed(error: unknown): Promise<never> {
    await this.call.end(false);
    throw error;
  }

  async #end(controller: ReadableStreamDefaultController<unknown>, suspended: boolean): Promise<void> {
    await this.call.end(suspended);
    const interrupt = this.interrupt();
    if (interrupt !== undefined) throw interrupt.error;
    controller.close();
  }
}
