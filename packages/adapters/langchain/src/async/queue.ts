/** The end of what was pushed: well, with an error, or with something to return. */
export type QueueEnd<Return> = { readonly error: unknown } | { readonly error?: never; readonly value?: Return };

/** A queue of what somebody tells piece by piece, for who reads it when they come to it. */
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
