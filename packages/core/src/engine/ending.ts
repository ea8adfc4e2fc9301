import type { Settlement, Stage } from "../contract/outcome.js";
import { CoreError } from "../errors.js";
import type { FlowOwner } from "./flow-owner.js";
import { lastWords } from "./limit.js";
import type { Chain } from "./stages.js";

/** The end of one answer: decided once, and told when its source has closed and its stages have settled. */
export class Ending<F> {
  /** The settlement that is decided on; undefined while the answer is open. */
  decided: Settlement<F> | undefined;
  /** The settlement, once it has been told. */
  settlement: Settlement<F> | undefined;
  #settled: Promise<Settlement<F>> | undefined;
  #tell: ((settlement: Settlement<F>) => void) | undefined;

  get settled(): Promise<Settlement<F>> {
    this.#settled ??=
      this.settlement !== undefined
        ? Promise.resolve(this.settlement)
        : new Promise((resolve) => {
            this.#tell = resolve;
          });
    return this.#settled;
  }

  settle(settlement: Settlement<F>): void {
    this.settlement = settlement;
    this.#tell?.(settlement);
  }
}

/** The final value is built when somebody asks for it. A class, since a getter in a literal costs a hidden class each time. */
export class Completed<F> {
  readonly status = "completed";
  readonly #chain: Chain<never, F>;
  readonly #stage: number | undefined;

  /** @param stage the one whose value is meant; by default the value that all stages let through. */
  constructor(chain: Chain<never, F>, stage?: number) {
    this.#chain = chain;
    this.#stage = stage;
  }
  get final(): F {
    return this.#chain.final(this.#stage);
  }
}

/** A reason of our own: an error, so that whoever is given it can tell where it comes from. */
export const cancelled = (why: string): CoreError => new CoreError("ERR_CANCELLED", why);

/** Throws what an answer ended with, unless it ended well or waits. */
export function thrown(settlement: Settlement<unknown>): void {
  if (settlement.status === "failed") throw settlement.error;
  if (settlement.status === "cancelled") throw settlement.reason;
}

/** Tells a stage how its answer ended. Undefined where there is nothing to wait for; what the stage throws is a fault. */
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
