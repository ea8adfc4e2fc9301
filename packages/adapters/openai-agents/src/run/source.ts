import type { Delta } from "@suite/core";
import type { Suspended } from "@suite/core/contract";
import type { AnyStreamed, RunEvent } from "../framework.js";
import type { RunEvents } from "./events.js";

/** The end of a stream of events: the last deltas for the layers, or a suspension. */
export type Ended = { readonly last: readonly Delta[] } | Suspended;

/** A streamed run as deltas for the `agent` layers. */
export class RunSource implements AsyncIterable<Delta, Suspended | undefined> {
  readonly #reader: ReadableStreamDefaultReader<RunEvent>;
  /** The error of the SDK's run. */
  failure: { readonly error: unknown } | undefined;

  /** @param ended throws the reason of the abort if the run was cancelled. */
  constructor(
    readonly result: AnyStreamed,
    readonly events: RunEvents,
    readonly ended: (failure?: { readonly error: unknown }) => Ended,
  ) {
    // The SDK declares only the stream members that all runtimes have.
    this.#reader = (result.toStream() as unknown as ReadableStream<RunEvent>).getReader();
  }

  /** Cancels the SDK's stream, and through it the model's, because the consumer has stopped. */
  async stop(): Promise<void> {
    await this.#reader.cancel();
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, Suspended | undefined> {
    const deltas = this.#deltas();
    return {
      next: () => deltas.next(),
      // The generator cannot return while it waits for the run, so the run is stopped first.
      return: async () => {
        await this.stop();
        return deltas.return(undefined);
      },
    };
  }

  /** Reads the SDK's next event. `completed` reports its errors. */
  async #step() {
    try {
      return await this.#reader.read();
    } catch {
      return { done: true } as const;
    }
  }

  async *#deltas(): AsyncGenerator<Delta, Suspended | undefined> {
    for (;;) {
      const step = await this.#step();
      if (step.done) break;
      for (const delta of this.events.read(step.value)) yield delta;
    }
    await this.result.completed.catch((error: unknown) => {
      this.failure = { error };
    });
    const end = this.ended(this.failure);
    if ("suspended" in end) return end;
    yield* end.last;
    return undefined;
  }
}
