import type { Runner } from "./runner.js";
import { scenarios } from "./scenarios/index.js";
import type { Capability, Subject } from "./subject.js";

/**
 * Registers the contract tests of one adapter. A scenario that needs more than the subject offers is reported as
 * skipped, with the missing capability. No scenario is left out silently.
 *
 * @example
 * ```ts
 * import { describe, it } from "@jest/globals";
 * describeAdapter("the AI SDK", subject, { describe, it });
 * ```
 */
export function describeAdapter(name: string, subject: Subject, { describe, it }: Runner): void {
  describe(`${name} keeps the contract of adapters`, () => {
    for (const scenario of scenarios) {
      const missing = scenario.needs.filter((need) => !subject.offers.has(need));
      const run = (): Promise<void> => scenario.run(subject);
      if (missing.length === 0) it(scenario.name, run);
      else
        it.skip?.(
          `${scenario.name} (not offered: ${missing.map((need) => missingCapability(subject, need)).join("; ")})`,
          run,
        );
    }
  });
}

/** The capability that is missing, and why. */
function missingCapability({ lacks = {} }: Subject, need: Capability): string {
  const why = lacks[need];
  return why === undefined ? need : `${need}, since ${why}`;
}
