import type { Delta, ModelRequest, Reply, Settlement, Stage, Usage } from "@suite/core";
import type { Ledger } from "./ledger.js";

/** Counts what one model call uses, attempt by attempt: layers may try again, or answer otherwise in the end. */
export class ModelCallCount {
  readonly #ledger: Ledger;
  /** The request of the last attempt. */
  #asked: ModelRequest | undefined;
  #told = false;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** A model is asked. */
  asked(request: ModelRequest): void {
    this.#asked = request;
    this.#ledger.asked(request);
  }

  used(usage: Usage | undefined): void {
    if (usage === undefined || this.#asked === undefined) return;
    this.#told = true;
    this.#ledger.add(usage, this.#asked);
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
    if (this.#asked === undefined || this.#told || settlement.status !== "completed") return;
    const { usage, response } = settlement.final;
    if (usage !== undefined)
      this.#ledger.add(usage, response?.model === undefined ? this.#asked : { model: response.model });
  }
}
