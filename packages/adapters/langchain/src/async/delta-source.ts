import type { Delta, Suspended } from "@suite/core";

/** A step of a source of deltas. */
export type DeltaStep = IteratorResult<Delta, Suspended | undefined>;

/**
 * A source of deltas that come several at once. By hand and not a generator, which would cost several promises a delta: those
 * of one pull are given without any, which the engine takes as it takes promised ones.
 */
export class DeltaSource implements AsyncIterator<Delta, Suspended | undefined> {
  #ready: readonly Delta[] = [];
  #next = 0;

  /**
   * @param pull gives the deltas that come next, which may be none, or the end.
   * @param close stops whatever they come from.
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
