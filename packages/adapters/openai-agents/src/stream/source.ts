import type { Delta, Suspended } from "@suite/core";
import type { AnyStreamed, RunEvent } from "../framework.js";
import type { RunEvents } from "./run-events.js";

/** What comes after the last event: what is left for the layers, or that the run waits. */
export type Ended = { readonly last: readonly Delta[] } | Suspended;

/** A run that streams, as deltas for the layers of `agent`. */
export class RunSource implements AsyncIterable<Delta, Suspended | undefined> {
  readonly #reader: ReadableStreamDefaultReader<RunEvent>;

  constructor(
    readonly result: AnyStreamed,
    readonly events: RunEvents,
    readonly ended: () => Ended,
  ) {
    // The SDK declares the part of a stream alone that all runtimes have.
    this.#reader = (result.toStream() as unknown as ReadableStream<RunEvent>).getReader();
  }

  /** Tells the SDK, and through it the model, that nobody reads on. */
  async stop(): Promise<void> {
    await this.#reader.cancel();
  }

  [Symbol.asyncIterator](): AsyncIterator<Delta, Suspended | undefined> {
    const deltas = this.#deltas();
    return {
      next: () => deltas.next(),
      // The generator cannot return while it waits for the run: that is told first.
      return: async () => {
        await this.stop();
        return deltas.return(undefined);
      },
    };
  }

  async *#deltas(): AsyncGenerator<Delta, Suspended | undefined> {
    for (;;) {
      const step = await this.#reader.read();
      if (step.done) break;
      yield this.events.read(step.value);
    }
    await this.result.completed;
    const end = this.ended();
    if ("suspended" in end) return end;
    yield* end.last;
    return undefined;
  }
}
