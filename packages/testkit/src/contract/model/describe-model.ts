import type { Runner } from "../runner.js";
import { answers } from "./answers.js";
import { endings } from "./endings.js";
import { requests } from "./requests.js";
import type { ModelScenario } from "./scenario.js";
import type { ModelSubject } from "./subject.js";

/** The promises of every model client. */
export const modelScenarios: readonly ModelScenario[] = [...answers, ...requests, ...endings];

/**
 * Registers the contract tests of one model client of `@suite/agent`. A scenario that needs a missing capability is
 * reported as skipped, with the reason.
 *
 * @example
 * ```ts
 * const server = useModelServer({ beforeAll, afterEach, afterAll });
 * const create = () => openai("m", { apiKey: "none", baseURL: `${server().url}/v1` });
 * describeModel("openai", { server, create }, { describe, it });
 * ```
 */
export function describeModel(name: string, subject: ModelSubject, { describe, it }: Runner): void {
  describe(`${name} keeps the contract of model clients`, () => {
    for (const { name: promise, needs, run } of modelScenarios) {
      const missing = needs.find((need) => subject.lacks?.[need] !== undefined);
      if (missing === undefined) it(promise, () => run(subject));
      else it.skip?.(`${promise} (${missing} is not offered: ${subject.lacks?.[missing]})`, () => run(subject));
    }
  });
}
