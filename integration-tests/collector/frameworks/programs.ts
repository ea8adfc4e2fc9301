import type { Plugin } from "@suite/core";
import { type Observed, type Scenario, type Subject, scenarios } from "@suite/testkit";
import { type PlantedAttempt, plantedAttempts, text } from "./planted-attempts.js";

/** Does something with a framework, with plugins attached; rejects where it did not happen as meant. */
type Program = (plugins: readonly Plugin[]) => Promise<unknown>;

/** By name. */
export type Programs = Readonly<Record<string, Program>>;

/** Dozens of runs that leave the same spans. */
const isLong = ({ name }: Scenario): boolean =>
  name.includes("split across chunks anywhere") || name.includes("where a stage holds text back");

/**
 * What a framework's subject offers: the attempts with personal data, whole and streamed; and the contract's scenarios, in
 * which the guard is the contract's own.
 */
export function programsOf(name: string, subject: Subject): Programs {
  const offered = ({ needs }: Pick<PlantedAttempt, "needs">) => needs.every((need) => subject.offers.has(need));
  const modesOf = ({ needs }: PlantedAttempt) =>
    [false, true].filter((stream) => (stream ? subject.offers.has("stream") : !needs.includes("stream")));
  const attempts = Object.entries(plantedAttempts)
    .filter(([, planted]) => offered(planted))
    .flatMap(([what, planted]) =>
      modesOf(planted).map((stream) => [
        `${name}: ${what}${stream ? ", streamed" : ""}`,
        (plugins: readonly Plugin[]) => tried(subject, planted, stream, plugins),
      ]),
    );
  const contract = scenarios
    .filter(offered)
    .filter((scenario) => process.env.TEST_LONG !== undefined || !isLong(scenario))
    .map((scenario) => [
      `${name}: the contract's scenario: ${scenario.name}`,
      (plugins: readonly Plugin[]) =>
        scenario.run({ ...subject, plugins: () => plugins.filter((plugin) => plugin.name !== "pii") }),
    ]);
  return Object.fromEntries([...attempts, ...contract]);
}

async function tried(
  subject: Subject,
  { attempt, decisions = [], fails = false }: PlantedAttempt,
  stream: boolean,
  plugins: readonly Plugin[],
): Promise<void> {
  const common = { input: `Hello. ${text}`, systemPrompt: `Be kind. ${text}`, tools: [] };
  const observed = await subject.run({ ...common, ...attempt, stream, plugins });
  if (decisions.length === 0) return ended(observed, fails);
  if (observed.resume === undefined) throw new Error("It does not wait.", { cause: observed.error });
  ended(await observed.resume(decisions), fails);
}

function ended({ error, text, output }: Observed, fails: boolean): void {
  if (fails !== (error !== undefined)) throw new Error(fails ? "It did not fail." : "It failed.", { cause: error });
  if (!fails && text === undefined && output === undefined) throw new Error("It did not come to its end.");
}
