const FIRST_MS = 200;
/** The longest pause. It is also used after a refusal, which waiting alone rarely resolves. */
export const LONGEST_MS = 30_000;

/**
 * Returns the pause after a number of failures in a row, in milliseconds. It doubles each time, and half of it is
 * random.
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16));
  return full / 2 + (full / 2) * random();
}
