import { pipeBranch, whenPiped } from "./piped.js";

/** A streamed result, by the method that its streams come from. */
interface Teeing {
  teeStream?(): ReadableStream<unknown>;
}

/** Callbacks for the readers of a result. */
export interface ReaderWatch {
  /** A reader has come to the end, or to the error that it ends with. */
  ended?(): void;
  /** The last reader has stopped before the end. The framework would never know: it keeps the stream open for readers to come. */
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
      // Whoever goes on another way, as with `await result.text`, does so by then.
      setTimeout(() => {
        if (open === 0) watch.stopped();
      });
    };
    whenPiped(stream, () => watch.ended?.(), stopped, pipeBranch);
    return stream;
  };
}
