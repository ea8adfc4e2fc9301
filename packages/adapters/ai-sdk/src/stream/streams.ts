import type { Delta, Outcome, Reply, Suspended } from "@suite/core";
import { AiSdkError } from "../errors.js";
import type { StreamPart } from "../types.js";
import type { StreamReading } from "./reading.js";
import type { StreamWriting } from "./writing.js";

/** A model's stream as deltas. Closing it cancels the model's stream at once, also while that is silent. */
export function deltasOf(stream: ReadableStream<StreamPart>, reading: StreamReading): AsyncIterable<Delta, void> {
  return {
    [Symbol.asyncIterator]() {
      const reader = stream.getReader();
      const next = async (): Promise<IteratorResult<Delta, void>> => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return { done: true, value: undefined };
          const delta = reading.read(value);
          if (delta !== undefined) return { done: false, value: delta };
        }
      };
      return {
        next,
        async return() {
          await reader.cancel();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Does something with chunks on their way out; what it holds back it gives out with the last one. */
export type Pass = (chunks: readonly StreamPart[], last: boolean) => Promise<readonly StreamPart[]>;

/** An answer as the framework's stream. It is pulled, so that the consumer sets the pace. */
export function streamOf(
  outcome: Outcome<Delta, Reply>,
  writing: StreamWriting,
  pass: Pass,
): ReadableStream<StreamPart> {
  const deltas = outcome[Symbol.asyncIterator]();
  const step = async (): Promise<{ readonly chunks: readonly StreamPart[]; readonly done: boolean }> => {
    try {
      const { done = false, value } = await deltas.next();
      if (!done) return { chunks: await pass(writing.accept(value as Delta), false), done };
      if (value !== undefined) throw suspendedElsewhere(value as Suspended);
      return { chunks: await pass(writing.end(), true), done };
    } catch (error) {
      await deltas.return?.();
      return { chunks: [{ type: "error", error }], done: true };
    }
  };
  return new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { chunks, done } = await step();
          for (const chunk of chunks) controller.enqueue(chunk);
          if (done) return controller.close();
          if (chunks.length > 0) return;
        }
      },
      async cancel() {
        await deltas.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

const suspendedElsewhere = ({ suspended }: Suspended): AiSdkError =>
  new AiSdkError(
    "ERR_NO_PLACE",
    `A layer suspended a model call for ${suspended.length} pending calls. The AI SDK waits for tools alone: suspend the tool call.`,
  );
