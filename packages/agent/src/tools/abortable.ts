import { onAbort } from "@suite/core";

/** Rejects with the signal's reason as soon as it aborts; what the promise does then is nobody's concern. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = onAbort(signal, () => reject(signal.reason));
    promise.then(resolve, reject).finally(off);
  });
}
