/** A time that runs only while something is waited for, and tells when it is over. */
export class Clock {
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waits = 0;
  #pauses = 0;
  #ended = false;

  /** @param over called once, when the time is over. */
  constructor(
    milliseconds: number,
    readonly over: () => void,
  ) {
    this.#left = milliseconds;
  }

  /** Begins a wait: something is waited for. */
  start(): void {
    this.#waits++;
    this.#run();
  }

  /** Ends a wait: what was waited for has come. */
  stop(): void {
    this.#waits--;
    this.#run();
  }

  /** The time does not run, whatever is waited for: a person is asked. */
  pause(): void {
    this.#pauses++;
    this.#run();
  }

  resume(): void {
    this.#pauses--;
    this.#run();
  }

  /** Ends the clock: no timer is left. */
  end(): void {
    this.#ended = true;
    this.#run();
  }

  #run(): void {
    const runs = this.#waits > 0 && this.#pauses === 0 && !this.#ended;
    if (runs === (this.#timer !== undefined)) return;
    if (runs) {
      this.#since = performance.now();
      this.#timer = setTimeout(this.over, Math.max(0, this.#left));
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#since;
  }
}
