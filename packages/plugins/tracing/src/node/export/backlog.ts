/** Maximum size of items that wait or are being sent, in bytes. */
const MOST = 64 * 1024 * 1024;

/**
 * Size in bytes at which a batch is sent without waiting for more: collectors refuse requests that are too large (from
 * 20 MiB).
 */
const BATCH = 4 * 1024 * 1024;

/** Counts the number and size of items that wait or are being sent. */
export class Backlog<T extends object> {
  readonly #mostWaiting: number;
  readonly #sizes = new WeakMap<T, number>();
  #waiting = 0;
  #waitingBytes = 0;
  #bytes = 0;

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting;
  }

  /** Adds an item if there is room for it. Returns false otherwise. */
  admits(item: T, size: number): boolean {
    if (this.#waiting >= this.#mostWaiting || this.#bytes + size > MOST) return false;
    this.#sizes.set(item, size);
    this.#waiting++;
    this.#waitingBytes += size;
    this.#bytes += size;
    return true;
  }

  /** True if enough items wait that they should be sent now. */
  get isFull(): boolean {
    return this.#waitingBytes >= BATCH;
  }

  /** Marks items as being sent. Returns a function to call when they have been accepted or lost. */
  leave(items: readonly T[]): () => void {
    const size = items.reduce((sum, item) => sum + (this.#sizes.get(item) ?? 0), 0);
    this.#waiting -= items.length;
    this.#waitingBytes -= size;
    return () => {
      this.#bytes -= size;
    };
  }
}
