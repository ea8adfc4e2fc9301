/** Of a streamed result, where its streams come from. */
interface Teeing {
  teeStream?(): ReadableStream<unknown>;
}

/**
 * Tells when the last reader of a result stops before the end. The framework itself would never know: what it keeps for
 * readers to come holds the stream open.
 */
export function watchReaders(result: object, stopped: () => void): void {
  const teeing = result as Teeing;
  const tee = teeing.teeStream;
  if (typeof tee !== "function") return;
  let open = 0;
  teeing.teeStream = function (this: unknown): ReadableStream<unknown> {
    const reader = tee.call(result).getReader();
    open++;
    return new ReadableStream<unknown>(
      {
        async pull(controller) {
          try {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          } catch (error) {
            controller.error(error);
          }
        },
        cancel(reason) {
          open--;
          // Whoever goes on another way, as with `await result.text`, does so by then.
          setTimeout(() => {
            if (open === 0) stopped();
          });
          // What the framework keeps for readers to come holds this open.
          reader.cancel(reason).catch(() => {});
        },
      },
      { highWaterMark: 0 },
    );
  };
}
