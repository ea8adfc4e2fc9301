import { IterableReadableStream } from "@langchain/core/utils/stream";
import type { Delta, Suspended } from "@suite/core";
import type { AgentCall } from "./call.js";
import { AgentChunks } from "./chunks.js";
import { AgentSource, type Open } from "./source.js";

/** `stream`, and `streamEvents` of version 2: what the graph streams, as the layers left it. */
export async function stream(call: AgentCall, open: Open): Promise<IterableReadableStream<unknown>> {
  const chunks = new AgentChunks(call.config);
  let source: AgentSource | undefined;
  try {
    const outcome = await call.through(async (invocation) => {
      const begun = new AgentSource(call, invocation, chunks, open);
      source = begun;
      await begun.start(await call.given(invocation));
      invocation.respond({ stream: begun });
    });
    return readable(new Reader(call, outcome[Symbol.asyncIterator](), chunks, () => source?.interrupt));
  } catch (error) {
    await call.end(false);
    throw error;
  }
}

/** A stream of which nothing is known but in a moment. */
export function later(begin: () => Promise<IterableReadableStream<unknown>>): IterableReadableStream<unknown> {
  let begun: Promise<IterableReadableStream<unknown>> | undefined;
  const reader = (): Promise<IterableReadableStream<unknown>> => {
    begun ??= begin();
    return begun;
  };
  return new IterableReadableStream({
    pull: async (controller) => give(controller, await (await reader()).next()),
    cancel: async () => void (await (await begun)?.return()),
  });
}

/** A source that can be read and left off. */
interface Readable {
  next(): Promise<IteratorResult<unknown, unknown>>;
  cancel(reason?: unknown): Promise<void>;
}

/** A stream of LangChain that reads such a source. */
export const readable = (reader: Readable): IterableReadableStream<unknown> =>
  new IterableReadableStream({
    pull: async (controller) => give(controller, await reader.next()),
    cancel: (reason) => reader.cancel(reason),
  });

function give(controller: ReadableStreamDefaultController<unknown>, step: IteratorResult<unknown, unknown>): void {
  if (step.done === true) controller.close();
  else controller.enqueue(step.value);
}

/** The consumer's side: reads what the layers let through, and ends the run. */
class Reader implements Readable {
  #ready: readonly unknown[] = [];
  #next = 0;
  #over: IteratorReturnResult<Suspended | undefined> | undefined;

  constructor(
    readonly call: AgentCall,
    readonly deltas: AsyncIterator<Delta, Suspended | undefined>,
    readonly chunks: AgentChunks,
    readonly interrupt: () => { readonly error: unknown } | undefined,
  ) {}

  async next(): Promise<IteratorResult<unknown, undefined>> {
    try {
      while (this.#next >= this.#ready.length) {
        if (this.#over !== undefined) return await this.#end(this.#over.value !== undefined);
        const step = await this.deltas.next();
        if (step.done === true) this.#over = step;
        this.#ready = step.done === true ? this.chunks.rest() : this.chunks.write(step.value);
        this.#next = 0;
      }
      return { done: false, value: this.#ready[this.#next++] };
    } catch (error) {
      await this.call.end(false);
      throw error;
    }
  }

  /** Ends the run: what is at work in it ends first, the innermost call before those that it is in. */
  cancel(): Promise<void> {
    return this.call.end(false);
  }

  async #end(suspended: boolean): Promise<IteratorReturnResult<undefined>> {
    await this.call.end(suspended);
    const interrupt = this.interrupt();
    if (interrupt !== undefined) throw interrupt.error;
    return { done: true, value: undefined };
  }
}
