import type { Delta, Suspended } from "@suite/core";
import type { AnyStreamed, RunEvent } from "../framework.js";
import type { RunEvents } from "./events.js";

/** The end of a stream of events: what is left for the layers, or that the run waits. */
export type Ended = { readonly last: readonly Delta[] } | Suspended;

/** A run that streams, as deltas for the layers of `agent`. */
export class RunSource implements AsyncIterable<Delta, Suspended | undefined> {
  readonly #reader: ReadableStreamDefaultReader<RunEvent>;
  /** The error that the SDK failed with. */
  failure: { readonly error: unknown } | undefined;

  /** @param ended throws the abort's reason, where the run was cancelled. */
  constructor(
    readonly result: AnyStreamed,
    readonly events: RunEvents,
    readonly ended: (failure?: { readonly error: unknown }) => Ended,
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

  /** The SDK's next event. What it fails with is told by `completed`. */
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
