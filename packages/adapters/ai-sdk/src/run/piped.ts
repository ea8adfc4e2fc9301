/** Moves chunks from one stream to another. Resolves at the end. Rejects if one of them fails or is cancelled. */
type Pipe = (
  stream: ReadableStream<unknown>,
  writable: WritableStream<unknown>,
  options?: StreamPipeOptions,
) => Promise<void>;

/**
 * Reports the end of a stream that the framework pipes. It uses the promise of the pipe, without a stream in between.
 *
 * @param stopped called if the reader stops or the stream fails
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
 * `pipeTo` that rejects as soon as its reader stops. The built-in one first waits until the source is cancelled, which
 * never happens for one branch of a `tee` while the other is open. With `preventCancel`, Node 24 fails an internal
 * assertion.
 */
export async function pipeBranch(stream: ReadableStream<unknown>, writable: WritableStream<unknown>): Promise<void> {
  const reader = stream.getReader();
  const writer = writable.getWriter();
  let stopped = false;
  const over = writer.closed.catch((reason: unknown) => {
    stopped = true;
    reader.cancel(reason).catch(() => {}); // the other branch keeps it open
    throw reason;
  });
  try {
    for (;;) {
      await writer.ready;
      const { done, value } = await reader.read();
      if (stopped || done) break;
      writer.write(value).catch(() => {}); // `closed` reports the error
    }
    if (!stopped) await writer.close();
  } catch (error) {
    if (!stopped) await writer.abort(error);
    throw error;
  } finally {
    over.catch(() => {}); // returned or thrown below
  }
  return over;
}
