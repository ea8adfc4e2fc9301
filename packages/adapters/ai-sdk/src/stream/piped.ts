/**
 * Tells how a stream ends that the framework pipes on, by the promise of that pipe: nothing stands between.
 *
 * @param stopped called where its reader stops, or it breaks.
 * @param options as `pipeTo` takes them.
 */
export function whenPiped(
  stream: ReadableStream<unknown>,
  ended: () => void,
  stopped: (reason: unknown) => void,
  options?: StreamPipeOptions,
): void {
  Object.defineProperty(stream, "pipeThrough", {
    configurable: true,
    value<R>(pair: ReadableWritablePair<R, unknown>, given?: StreamPipeOptions): ReadableStream<R> {
      stream.pipeTo(pair.writable, { ...given, ...options }).then(ended, stopped);
      return pair.readable;
    },
  });
}
