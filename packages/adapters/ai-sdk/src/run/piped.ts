/** A pipe that moves chunks from one stream to another; resolves at the end, rejects where either of them breaks or is stopped. */
type Pipe = (
  stream: ReadableStream<unknown>,
  writable: WritableStream<unknown>,
  options?: StreamPipeOptions,
) => Promise<void>;

/**
 * Watches how a stream ends that the framework pipes on, by the promise of that pipe: nothing stands between.
 *
 * @param stopped called where its reader stops, or it breaks.
 */
export function whenPiped(
  stream: ReadableStream<unknown>,
  ended: () => void,
  stopped: (reason: unknown) => void,
  pipe: Pipe = (from, to, options) => from.pipeTo(to, options),
): void {
  Object.defineProperty(stream, "pipeThrough", {
    configurable: true,
    value<R>(pair: ReadableWritablePair<R, unknown>, options?: StreamPipeOptions): ReadableStream<R> {
      pipe(stream, pair.writable, options).then(ended, stopped);
      return pair.readable;
    },
  });
}

/**
 * `pipeTo` that rejects as soon as its reader stops. The platform's own first waits for the source to be cancelled, which
 * the branch of a `tee` never is while there is another; and with `preventCancel` Node 24 fails an assertion of its own.
 */
export async function pipeBranch(stream: ReadableStream<unknown>, writable: WritableStream<unknown>): Promise<void> {
  const reader = stream.getReader();
  const writer = writable.getWriter();
  let stopped = false;
  const over = writer.closed.catch((reason: unknown) => {
    stopped = true;
    reader.cancel(reason).catch(() => {}); // the other branch holds it open
    throw reason;
  });
  try {
    for (;;) {
      await writer.ready;
      const { done, value } = await reader.read();
      if (stopped || done) break;
      writer.write(value).catch(() => {}); // told by `closed`
    }
    if (!stopped) await writer.close();
  } catch (error) {
    if (!stopped) await writer.abort(error);
    throw error;
  } finally {
    over.catch(() => {}); // told below, or thrown
  }
  return over;
}
