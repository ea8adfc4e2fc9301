import { onAbort } from "@suite/core";

/** How long what is at work may take to end after an abort, in milliseconds. What hangs is left behind. */
const limitMs = 1000;

/**
 * Settles with the work, also after an abort, which is for the work itself to take: `generateText` waits for its model and
 * for its tools, and a result that still comes counts. Rejects with the signal's reason where nothing comes.
 */
export function patiently<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onAbort(signal, () => {
      timer = setTimeout(() => reject(signal.reason), limitMs);
    });
    const over = (): void => {
      off();
      clearTimeout(timer);
    };
    Promise.resolve(work).then(resolve, reject).finally(over);
  });
}
