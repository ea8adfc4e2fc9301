import type { Outcome, Settlement } from "../contract/outcome.js";
import type { Suspended } from "../contract/suspension.js";
import type { Flow } from "./flow.js";

/** An answer that a layer has read to its end. Its settlement is known, and it can be read again from its value. */
export class Reread<C, F> implements Outcome<C, F> {
  readonly streaming = false;
  readonly #read: Flow<C, F>;
  readonly #again: () => Flow<C, F>;

  constructor(read: Flow<C, F>, again: () => Flow<C, F>) {
    this.#read = read;
    this.#again = again;
  }

  get isError(): boolean {
    return this.#read.isError;
  }
  get byLayer(): boolean {
    return this.#read.byLayer;
  }
  get settled(): Promise<Settlement<F>> {
    return this.#read.settled;
  }
  async ready(): Promise<void> {}
  final(): Promise<F> {
    return this.#read.final();
  }
  [Symbol.asyncIterator](): AsyncIterator<C, Suspended | undefined> {
    return this.#again()[Symbol.asyncIterator]();
  }
}
