import { onAbort } from "@suite/core";

/** What settles first: the work, or the abort. Work that hears nothing is left behind. */
export async function abortable<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let off: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    off = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    off?.();
  }
}
