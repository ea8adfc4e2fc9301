import type { Delta } from "@suite/core";
import type { Suspended } from "@suite/core/contract";

/** A step of a source of deltas. */
export type DeltaStep = IteratorResult<Delta, Suspended | undefined>;

/**
 * An iterator of deltas that arrive several at a time. Not a generator, which would cost several promises per delta.
 * The deltas of one pull are returned without a promise, which the engine accepts too.
 */
export class DeltaSource implements AsyncIterator<Delta, Suspended | undefined> {
  #ready: readonly Delta[] = [];
  #next = 0;

  /**
   * @param pull returns the next deltas, possibly none, or the end.
   * @param close stops the underlying source.
   */
  constructor(
    readonly pull: () => Promise<readonly Delta[] | IteratorReturnResult<Suspended | undefined>>,
    readonly close: () => Promise<void>,
  ) {}

  next(): Promise<DeltaStep> {
    const delta = this.#ready[this.#next];
    if (delta === undefined) return this.pull().then(this.#pulled);
    this.#next++;
    return { done: false, value: delta } satisfies DeltaStep as DeltaStep & Promise<DeltaStep>;
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  readonly #pulled = (
    pulled: readonly Delta[] | IteratorReturnResult<Suspended | undefined>,
  ): DeltaStep | Promise<DeltaStep> => {
    if ("done" in pulled) return pulled;
    this.#ready = pulled;
    this.#next = 0;
    return this.next();
  };
}
