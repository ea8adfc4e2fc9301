import type { IterableReadableStream } from "@langchain/core/utils/stream";
import { readable } from "./stream.js";

/** The end of a stream or a call: completed, failed, or neither if the consumer stopped. */
export interface End {
  readonly completed?: { readonly state?: unknown };
  readonly error?: unknown;
}

type Step = ReadableStreamReadResult<unknown>;

/**
 * Watches the end of a stream. It remains the same stream and costs one promise per chunk: only its readers are created
 * differently.
 *
 * @param onEnd is called at the end, and awaited before the consumer sees the end.
 */
export function watched<S extends IterableReadableStream<unknown>>(stream: S, onEnd: (end: End) => Promise<void>): S {
  let notified: Promise<void> | undefined;
  const over = (end: End): Promise<void> => {
    notified ??= onEnd(end);
    return notified;
  };
  const native = ReadableStream.prototype;
  const getReader = (): ReadableStreamDefaultReader<unknown> => {
    const reader = (native.getReader as () => ReadableStreamDefaultReader<unknown>).call(stream);
    const read = reader.read.bind(reader);
    const cancel = reader.cancel.bind(reader);
    return Object.assign(reader, {
      read: () =>
        read().then(
          (step): Step | Promise<Step> => (step.done ? over({ completed: {} }).then(() => step) : step),
          (error: unknown): Promise<Step> =>
            over({ error }).then(() => {
              throw error;
            }),
        ),
      cancel: (reason?: unknown) => cancel(reason).finally(() => over({})),
    });
  };
  /** Creates another stream that reads this one, for consumers that do not use its readers. */
  const again = (): ReadableStream<unknown> => {
    const reader = getReader();
    return readable({ next: () => reader.read(), cancel: (reason) => reader.cancel(reason) });
  };
  return Object.assign(stream, {
    getReader,
    cancel: (reason?: unknown) => native.cancel.call(stream, reason).finally(() => over({})),
    values: (options?: { preventCancel?: boolean }) => again().values(options),
    tee: () => again().tee(),
    pipeTo: (to: WritableStream<unknown>, options?: StreamPipeOptions) => again().pipeTo(to, options),
    pipeThrough: (through: ReadableWritablePair<unknown, unknown>, options?: StreamPipeOptions) =>
      again().pipeThrough(through, options),
  });
}
