import type { RuntimeContext } from "@suite/core";
import type { Delivery } from "../delivery/delivery.js";
import type { CompiledPolicy } from "../policy/policy.js";
import type { Composer } from "../record/compose.js";
import type { Facts } from "../record/facts.js";
import { type RunFacts, runFactsOf, type SubjectOf } from "../record/run-facts.js";

/** Turns facts into records and sends them, as the policy says. */
export class Recorder {
  readonly #policy: CompiledPolicy;
  readonly #composer: Composer;
  readonly #delivery: Delivery;
  readonly #subjectOf: SubjectOf | undefined;

  /** @param subjectOf given where records are encrypted. */
  constructor(policy: CompiledPolicy, composer: Composer, delivery: Delivery, subjectOf?: SubjectOf) {
    this.#subjectOf = subjectOf;
    this.#policy = policy;
    this.#composer = composer;
    this.#delivery = delivery;
  }

  runFacts(runtime: RuntimeContext): RunFacts {
    return runFactsOf(runtime, this.#subjectOf);
  }

  /** @returns a promise if the act must wait for it; it rejects if the act must not be done. */
  intent(facts: Facts, run: RunFacts): Promise<void> | undefined {
    const entry = this.#composer.compose(facts, run);
    return this.#delivery.intent(entry, this.#mode(facts), run.runtime.signal);
  }

  /** @returns a promise if it should be waited for; it never rejects. */
  outcome(facts: Facts, run: RunFacts): Promise<void> | undefined {
    return this.#delivery.outcome(this.#composer.compose(facts, run), this.#mode(facts));
  }

  /** What cannot wait. */
  note(facts: Facts, runtime: RuntimeContext): void {
    const mode = this.#mode(facts);
    const entry = this.#composer.compose(facts, this.runFacts(runtime));
    void this.#delivery.outcome(entry, mode === "required" ? "buffered" : mode);
  }

  #mode({ type, stage, target }: Facts) {
    return this.#policy.delivery({ type, stage, target: target?.name });
  }
}
