import { pipeBranch, whenPiped } from "./piped.js";

/** A streamed result with the method that creates its streams. */
interface Teeing {
  teeStream?(): ReadableStream<unknown>;
}

/** Callbacks for the readers of a result. */
export interface ReaderWatch {
  /** Called when a reader has reached the end or an error. */
  ended?(): void;
  /**
   * Called when the last reader has stopped before the end. The framework does not notice it, because it keeps the
   * stream open for later readers.
   */
  stopped(): void;
}

/** Watches the readers of a result. */
export function watchReaders(result: object, watch: ReaderWatch): void {
  const teeing = result as Teeing;
  const tee = teeing.teeStream;
  if (typeof tee !== "function") return;
  let open = 0;
  teeing.teeStream = function (this: unknown): ReadableStream<unknown> {
    const stream = tee.call(result);
    open++;
    const stopped = (): void => {
      open--;
      // A caller that switches to another reader, for example `await result.text`, has done so by then.
      setTimeout(() => {
        if (open === 0) watch.stopped();
      });
    };
    whenPiped(stream, () => watch.ended?.(), stopped, pipeBranch);
    return stream;
  };
}
