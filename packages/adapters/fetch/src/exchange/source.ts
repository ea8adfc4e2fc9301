import type { Delta } from "@suite/core";
import type { StreamFormat } from "../formats/format.js";
import { eventsOf } from "../sse/read.js";

/** How long a body may take to end after its last event, in milliseconds. One that ended lets its connection be used again. */
const endLimit = 250;

/** What a streamed body says, as it is pulled. It can be closed while a pull is under way. */
export function deltasOf(body: ReadableStream<Uint8Array>, format: StreamFormat): AsyncIterable<Delta, void> {
  return {
    [Symbol.asyncIterator]() {
      const reader = body.getReader();
      const deltas = read(reader, format);
      return {
        next: () => deltas.next(),
        async return() {
          await reader.cancel().catch(() => {});
          return deltas.return();
        },
      };
    },
  };
}

async function* read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  format: StreamFormat,
): AsyncGenerator<Delta, void> {
  let ended = false;
  try {
    for await (const events of eventsOf(reader)) {
      for (const event of events) {
        yield* format.read(event);
        if (format.finished) return;
      }
    }
    ended = true;
    yield* format.cutShort();
  } finally {
    if (!ended) void finish(reader);
  }
}

/** Reads the rest, which is nothing, or lets it go. */
async function finish(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, endLimit, false);
  });
  const ended = reader.read().then(
    ({ done }) => done,
    () => true,
  );
  const done = await Promise.race([ended, late]);
  clearTimeout(timer);
  if (!done) await reader.cancel().catch(() => {});
}
