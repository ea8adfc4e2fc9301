const FIRST_MS = 200;
/** The longest pause; also the one after a refusal, which waiting alone rarely mends. */
export const LONGEST_MS = 30_000;

/** The time to wait after so many failures in a row, in milliseconds: twice as long each time, half of it by chance. */
export function backoff(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 16));
  return full / 2 + (full / 2) * random();
}
