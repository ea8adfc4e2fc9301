import { onAbort } from "../abort.js";

/** The time in milliseconds that work may take to end after it was stopped. After that it is abandoned. */
const CLOSE_LIMIT_MS = 250;

/**
 * The time in milliseconds that a plugin's `end` or `settle` may take, for example to flush a file. It is shorter after
 * the run was stopped.
 */
const LAST_WORDS_MS = 30_000;
const LAST_WORDS_AFTER_STOP_MS = 5_000;

/** Waits for stopped work, with a time limit. */
export async function limited(work: unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Waits for a plugin's `end` or `settle`, with a time limit, since the caller waits for it.
 *
 * @param stopped true if the run was already stopped.
 * @throws the plugin's error, or an error that reports the timeout.
 */
export function lastWords(
  work: PromiseLike<unknown>,
  stopped: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let off: (() => void) | undefined;
    const within = (milliseconds: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        off?.();
        reject(new Error(`It did not end within ${milliseconds / 1000} s. Waiting has stopped.`));
      }, milliseconds);
    };
    within(stopped ? LAST_WORDS_AFTER_STOP_MS : LAST_WORDS_MS);
    off = signal && onAbort(signal, () => within(LAST_WORDS_AFTER_STOP_MS));
    const over = (): void => {
      clearTimeout(timer);
      off?.();
    };
    Promise.resolve(work)
      .then(() => resolve(), reject)
      .finally(over);
  });
}
