import type { Settlement, Stage } from "../contract/outcome.js";
import { CoreError } from "../errors.js";
import type { FlowOwner } from "./flow-owner.js";
import { lastWords } from "./limit.js";
import type { Chain } from "./stages.js";

/** The end of one answer: decided once, and reported when its source has closed and its stages have settled. */
export class Ending<F> {
  /** The decided settlement, or `undefined` while the answer is open. */
  decided: Settlement<F> | undefined;
  /** The settlement, after it was reported. */
  settlement: Settlement<F> | undefined;
  #settled: Promise<Settlement<F>> | undefined;
  #resolve: ((settlement: Settlement<F>) => void) | undefined;

  get settled(): Promise<Settlement<F>> {
    this.#settled ??=
      this.settlement !== undefined
        ? Promise.resolve(this.settlement)
        : new Promise((resolve) => {
            this.#resolve = resolve;
          });
    return this.#settled;
  }

  settle(settlement: Settlement<F>): void {
    this.settlement = settlement;
    this.#resolve?.(settlement);
  }
}

/**
 * A completed settlement whose final value is built on first access. A class, since each literal with a getter would
 * create a new hidden class.
 */
export class Completed<F> {
  readonly status = "completed";
  readonly #chain: Chain<never, F>;
  readonly #stage: number | undefined;

  /** @param stage the index of the stage whose value is returned. Default: the value after all stages. */
  constructor(chain: Chain<never, F>, stage?: number) {
    this.#chain = chain;
    this.#stage = stage;
  }
  get final(): F {
    return this.#chain.final(this.#stage);
  }
}

/** Creates the `ERR_CANCELLED` error that is used as abort reason. */
export const cancelled = (why: string): CoreError => new CoreError("ERR_CANCELLED", why);

/** Throws the error or reason of a failed or cancelled answer. */
export function thrown(settlement: Settlement<unknown>): void {
  if (settlement.status === "failed") throw settlement.error;
  if (settlement.status === "cancelled") throw settlement.reason;
}

/**
 * Calls a stage's `settle`. Returns `undefined` if there is nothing to wait for. An error of the stage is reported as a
 * fault.
 */
export function settleStage<C, F>(
  stage: Stage<C, F>,
  settlement: Settlement<F>,
  owner: Pick<FlowOwner, "caller" | "fault">,
): Promise<void> | undefined {
  const failed = (error: unknown): void => owner.fault("settle", error);
  try {
    const work = stage.settle?.(settlement);
    if (typeof work?.then === "function") {
      return lastWords(work, settlement.status === "cancelled", owner.caller).catch(failed);
    }
  } catch (error) {
    failed(error);
  }
  return undefined;
}
