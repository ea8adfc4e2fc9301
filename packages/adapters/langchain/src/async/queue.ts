/** The end of a queue: with an error, or optionally with a return value. */
export type QueueEnd<Return> = { readonly error: unknown } | { readonly error?: never; readonly value?: Return };

/** Async queue with one consumer. */
export class Queue<Item, Return = undefined> implements AsyncIterable<Item, Return | undefined> {
  readonly #items: Item[] = [];
  #end: QueueEnd<Return> | undefined;
  #wake: (() => void) | undefined;

  push(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(how: QueueEnd<Return> = {}): void {
    this.#end = how;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, Return | undefined> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as Item;
      if (this.#end !== undefined) break;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if ("error" in this.#end) throw this.#end.error;
    return this.#end.value;
  }
}
