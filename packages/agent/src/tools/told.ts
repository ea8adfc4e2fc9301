import type { EventDelta } from "@suite/core";
import { Fifo } from "../fifo.js";

interface Item {
  readonly event: EventDelta;
  readonly taken?: () => void;
}

/** A queue of what the calls of a batch tell while they are at work. It has one reader, at whose pace progress is made. */
export class Told {
  readonly #items = new Fifo<Item>();
  #wake: (() => void) | undefined;
  #closed = false;

  get size(): number {
    return this.#items.size;
  }

  /** Tells what does not come often. */
  tell(event: EventDelta): void {
    this.#add({ event });
  }

  /** Tells progress. Resolves when the reader has taken it: whoever makes more of it waits for that. */
  async offer(event: EventDelta): Promise<void> {
    if (this.#closed) return;
    await new Promise<void>((taken) => this.#add({ event, taken }));
  }

  take(): EventDelta | undefined {
    const item = this.#items.shift();
    item?.taken?.();
    return item?.event;
  }

  /** Resolves when something has happened. */
  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
  }

  /** Ends the waiting for a reader who reads no more. */
  close(): void {
    this.#closed = true;
    while (this.size > 0) this.take();
  }

  #add(item: Item): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.wake();
  }
}
