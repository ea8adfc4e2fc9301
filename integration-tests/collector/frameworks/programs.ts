import type { Plugin } from "@suite/core";
import { type Observed, type Scenario, type Subject, scenarios } from "@suite/testkit";
import { type PlantedAttempt, plantedAttempts, text } from "./planted-attempts.js";
import { remembering } from "./remembering.js";

/** Does something with a framework, with plugins attached; rejects where it did not happen as meant. */
type Program = (plugins: readonly Plugin[]) => Promise<unknown>;

/** Programs by name. */
export type Programs = Readonly<Record<string, Program>>;

/** Dozens of runs that leave the same spans. */
const isLong = ({ name }: Scenario): boolean =>
  name.includes("split across chunks anywhere") || name.includes("where a stage holds text back");

/**
 * The programs of a framework's subject: the attempts with personal data, whole and streamed; and the contract's scenarios,
 * in which the guard is the contract's own.
 */
export function programsOf(name: string, subject: Subject): Programs {
  const offered = ({ needs }: Pick<PlantedAttempt, "needs">) => needs.every((need) => subject.offers.has(need));
  const modesOf = ({ needs }: Pick<PlantedAttempt, "needs">) =>
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
  const memories = modesOf({ needs: [] }).map(
    (stream) => [`${name}: a memory${stream ? ", streamed" : ""}`, remembered(subject, stream)] as const,
  );
  return Object.fromEntries([...attempts, ...documents(name, subject), ...memories, ...contract]);
}

/** A plugin's memory, with personal data in what is searched for, found and kept. */
const remembered = (subject: Subject, stream: boolean) => async (plugins: readonly Plugin[]) => {
  const attempt = { answers: [{ text: "Good morning." }], input: "Hello.", tools: [], stream };
  ended(await subject.run({ ...attempt, plugins: [...plugins, remembering] }), false);
};

/** Embeddings and searches, with personal data in what is embedded, searched for and found. */
function documents(name: string, subject: Subject): readonly (readonly [string, Programs[string]])[] {
  const { embed, search } = subject;
  const offers = ["embeddings", "retrieval"].map((need) => subject.offers.has(need as "retrieval"));
  const found = [{ id: text, content: text, metadata: { [text]: { by: text } } }, { content: text }];
  const fails = () => {
    throw new Error(text);
  };
  const searched = (find: () => typeof found) => async (plugins: readonly Plugin[]) => {
    const observed = await search?.({ plugins, query: text, find });
    if ((observed?.error === undefined) !== (find !== fails))
      throw new Error("It did not end as meant.", { cause: observed?.error });
  };
  const embedded = async (plugins: readonly Plugin[]) => {
    const observed = await embed?.({ plugins, texts: [text, "Good morning."] });
    if (observed?.embeddings?.length !== 2) throw new Error("It gave no embeddings.", { cause: observed?.error });
  };
  return [
    ...(offers[0] ? [[`${name}: embeddings`, embedded] as const] : []),
    ...(offers[1] ? [[`${name}: a search`, searched(() => found)] as const] : []),
    ...(offers[1] ? [[`${name}: a search that fails`, searched(fails)] as const] : []),
  ];
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
  const resumed = await observed.resume(decisions);
  // If a guard changes edited arguments, the agent asks again, with those that the tool would get.
  const again = decisions.map(({ id }) => ({ id, type: "approve" as const }));
  ended((await resumed.resume?.(again)) ?? resumed, fails);
}

function ended({ error, text, output }: Observed, fails: boolean): void {
  if (fails !== (error !== undefined)) throw new Error(fails ? "It did not fail." : "It failed.", { cause: error });
  if (!fails && text === undefined && output === undefined) throw new Error("It did not come to its end.");
}
