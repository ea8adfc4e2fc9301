/** The most that may wait and be under way at once, in bytes. */
const MOST = 64 * 1024 * 1024;

/** A batch that is sent without waiting for more, in bytes: collectors refuse requests that are too large (from 20 MiB on). */
const BATCH = 4 * 1024 * 1024;

/** Keeps account of what waits to be sent, and of what is on its way, by number and by size. */
export class Backlog<T extends object> {
  readonly #mostWaiting: number;
  readonly #sizes = new WeakMap<T, number>();
  #waiting = 0;
  #waitingBytes = 0;
  #bytes = 0;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Takes one in, if there is room for it. */
  admits(item: T, size: number): boolean {
    if (this.#waiting >= this.#mostWaiting || this.#bytes + size > MOST) return false;
    this.#sizes.set(item, size);
    this.#waiting++;
    this.#waitingBytes += size;
    this.#bytes += size;
    return true;
  }

  /** Whether so much waits that it should go now. */
  get isFull(): boolean {
    return this.#waitingBytes >= BATCH;
  }

  /** Notes items that are on their way; gives what is called when they have arrived, or are lost. */
  leave(items: readonly T[]): () => void {
    const size = items.reduce((sum, item) => sum + (this.#sizes.get(item) ?? 0), 0);
    this.#waiting -= items.length;
    this.#waitingBytes -= size;
    return () => {
      this.#bytes -= size;
    };
  }
}
