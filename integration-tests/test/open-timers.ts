import { afterEach, beforeEach } from "@jest/globals";

/** Timers that were set and have neither run nor been cleared, with where they were set. */
export class OpenTimers {
  readonly #open = new Map<unknown, string>();
  readonly #set = globalThis.setTimeout;
  readonly #clear = globalThis.clearTimeout;

  /** Watches the timers of each test of this file. */
  constructor() {
    beforeEach(() => this.#watch());
    afterEach(() => {
      Object.assign(globalThis, { setTimeout: this.#set, clearTimeout: this.#clear });
    });
  }

  get all(): readonly string[] {
    return [...this.#open.values()];
  }

  /** Waits for what ends by itself, two seconds at most; by a timer that does not count. */
  async waitWhile(isSo: () => boolean): Promise<void> {
    for (let turn = 0; turn < 400 && isSo(); turn++) await new Promise((resolve) => this.#set(resolve, 5));
  }

  #watch(): void {
    globalThis.setTimeout = ((work: (...given: unknown[]) => void, ...rest: [number?, ...unknown[]]) => {
      const timer = this.#set(
        (...given: unknown[]) => {
          this.#open.delete(timer);
          work(...given);
        },
        ...rest,
      );
      this.#open.set(timer, new Error().stack ?? "");
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      this.#open.delete(timer);
      this.#clear(timer);
    };
  }
}
