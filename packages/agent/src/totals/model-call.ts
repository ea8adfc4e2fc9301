import type { Delta, Reply, Settlement, Stage, Usage } from "@suite/core";
import type { Ledger } from "./ledger.js";

/** Counts what one model call uses, attempt by attempt: layers may try again, or answer otherwise in the end. */
export class ModelCallCount {
  readonly #ledger: Ledger;
  #asked = false;
  #told = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The model is asked. */
  asked(): void {
    this.#asked = true;
    this.#ledger.inferenceCalls++;
  }

  used(usage: Usage | undefined): void {
    if (usage === undefined) return;
    this.#told = true;
    this.#ledger.add(usage);
  }

  /** The innermost stage of a streamed attempt, which sees it before a layer can change it. */
  stage(): Stage<Delta, Reply> {
    let last: Usage | undefined;
    return {
      chunk(delta, emit) {
        if (delta.type === "finish") last = delta.usage ?? last;
        emit(delta);
      },
      flush: () => this.used(last),
    };
  }

  /** A layer that asks another model by itself, when this one fails, tells what that used with its answer. */
  ended(settlement: Settlement<Reply>): void {
    if (this.#asked && !this.#told && settlement.status === "completed") this.used(settlement.final.usage);
  }
}
