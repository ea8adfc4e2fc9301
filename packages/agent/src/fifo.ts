/**
 * A first-in, first-out queue with constant-time `shift`. `Array.shift` takes time proportional to the length of a long
 * list.
 */
export class Fifo<T> {
  #items: T[] = [];
  #next = 0;

  get size(): number {
    return this.#items.length - this.#next;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#next++];
    if (this.size === 0) {
      this.#items = [];
      this.#next = 0;
    }
    return item;
  }
}
