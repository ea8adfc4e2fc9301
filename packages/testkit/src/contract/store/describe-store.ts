import type { Runner } from "../runner.js";
import { counterScenarios } from "./counters.js";
import { keyScenarios } from "./keys.js";
import type { StoreScenario, StoreSubject } from "./scenario.js";
import { valueScenarios } from "./values.js";

/**
 * The contract tests of one `StateStore`.
 *
 * @example
 * ```ts
 * describeStore("memory", { open: () => store }, { describe, it });
 * ```
 */
export function describeStore(name: string, subject: StoreSubject, { describe, it }: Runner): void {
  describe(`${name} keeps the contract of stores`, () => {
    for (const scenario of storeScenarios) it(scenario.name, () => scenario.run(subject));
  });
}

/** The promises of every store. */
export const storeScenarios: readonly StoreScenario[] = [...valueScenarios, ...counterScenarios, ...keyScenarios];
