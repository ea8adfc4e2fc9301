import type { RuntimeContext } from "@suite/core";
import type { Delivery } from "../log/delivery/delivery.js";
import type { Composer } from "../record/compose.js";
import type { Facts } from "../record/facts.js";
import type { CompiledPolicy, DeliveryMode } from "../record/policy.js";
import { type RunFacts, runFactsOf, type SubjectOf } from "../record/run-facts.js";
import type { PolicyInForce } from "./in-force.js";

/** Turns facts into records and sends them by the policy. */
export class Recorder {
  readonly #policy: CompiledPolicy;
  readonly #composer: Composer;
  readonly #delivery: Delivery;
  readonly #inForce: PolicyInForce;
  readonly #subjectOf: SubjectOf | undefined;

  /** @param subjectOf set if records are encrypted */
  constructor(
    policy: CompiledPolicy,
    inForce: PolicyInForce,
    composer: Composer,
    delivery: Delivery,
    subjectOf?: SubjectOf,
  ) {
    this.#inForce = inForce;
    this.#subjectOf = subjectOf;
    this.#policy = policy;
    this.#composer = composer;
    this.#delivery = delivery;
  }

  /**
   * Returns the facts that the records of a run share. If the policy differs from the recorded one, it is recorded
   * first.
   */
  runFacts(runtime: RuntimeContext): RunFacts {
    const run = runFactsOf(runtime, this.#subjectOf);
    const policy = this.#inForce.changed(run);
    if (policy !== undefined) void this.#delivery.outcome(policy, this.#noted({ type: "policy", stage: "outcome" }));
    return run;
  }

  /** @returns a promise if the act must wait for it; it rejects if the act must not run */
  intent(facts: Facts, run: RunFacts): Promise<void> | undefined {
    const entry = this.#composer.compose(facts, run);
    return this.#delivery.intent(entry, this.#mode(facts), run.runtime);
  }

  /** @returns a promise if the caller should wait for it; it never rejects */
  outcome(facts: Facts, run: RunFacts): Promise<void> | undefined {
    return this.#delivery.outcome(this.#composer.compose(facts, run), this.#mode(facts));
  }

  /** Records facts from code that cannot wait. */
  note(facts: Facts, runtime: RuntimeContext): void {
    const entry = this.#composer.compose(facts, this.runFacts(runtime));
    void this.#delivery.outcome(entry, this.#noted(facts));
  }

  #noted(facts: Pick<Facts, "type" | "stage" | "target">): DeliveryMode {
    const mode = this.#mode(facts);
    return mode === "required" ? "buffered" : mode;
  }

  #mode({ type, stage, target }: Pick<Facts, "type" | "stage" | "target">): DeliveryMode {
    return this.#policy.delivery({ type, stage, target: target?.name });
  }
}
