import { onAbort } from "../abort.js";

/** The time that work may take which was told to stop, in milliseconds. What hangs is left behind. */
const CLOSE_LIMIT_MS = 250;

/** The time that a plugin may take over its last words: to flush a file, say. Less from when somebody tells the run to stop. */
const LAST_WORDS_MS = 30_000;
const LAST_WORDS_AFTER_STOP_MS = 5_000;

/** Waits for something that was told to stop, but not for ever. */
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
 * Waits for a plugin's `end` or `settle`, but not for ever: a caller would never have their answer.
 *
 * @param stopped whether the run was told to stop already.
 * @throws what it threw, or an error that says that it hangs.
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
        reject(new Error(`It has not ended within ${milliseconds / 1000} s, and is left behind.`));
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
