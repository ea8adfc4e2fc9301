/** Counts the time in which at least one of those who started it has not stopped it. */
export class Stopwatch {
  #running = 0;
  #since = 0;
  #before: number;

  /** @param before milliseconds that are counted already. */
  constructor(before = 0) {
    this.#before = before;
  }

  get milliseconds(): number {
    return this.#before + (this.#running > 0 ? performance.now() - this.#since : 0);
  }

  start(): void {
    if (this.#running++ === 0) this.#since = performance.now();
  }

  stop(): void {
    this.#before = this.milliseconds;
    this.#since = performance.now();
    this.#running--;
  }
}
