import type { Runner } from "../runner.js";
import { actScenarios, runAct } from "./acts.js";
import { answers } from "./answers.js";
import { endings } from "./endings.js";
import { inputs } from "./inputs.js";
import type { PluginScenario } from "./scenario.js";
import type { PluginSubject } from "./subject.js";

/** The promises of every plugin. */
export const pluginScenarios: readonly PluginScenario[] = [...answers, ...endings, ...inputs];

/**
 * Registers the contract tests of one plugin. It is attached alone to core's stack.
 *
 * @example
 * ```ts
 * import { describe, it } from "@jest/globals";
 * describePlugin("tracing", { create: () => tracing() }, { describe, it });
 * ```
 */
export function describePlugin(name: string, subject: PluginSubject, { describe, it }: Runner): void {
  describe(`${name} keeps the contract of plugins`, () => {
    for (const scenario of pluginScenarios) it(scenario.name, () => scenario.run(subject));
    for (const act of subject.acts ?? []) {
      for (const scenario of actScenarios.filter(({ applies }) => applies(act))) {
        it(`${act.name}: ${scenario.name}`, () => runAct(scenario, act));
      }
    }
  });
}
