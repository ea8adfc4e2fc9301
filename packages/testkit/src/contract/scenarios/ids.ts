import { type Plugin, type RuntimeContext, stateKey } from "@suite/core";
import { expectEqual, expectThat } from "../expect.js";
import { inBothModes, type Scenario, type Try } from "../scenario.js";

const plan = stateKey<string>("contract.plan", () => "free");
const runIds = { userId: "ada", sessionId: "chat-1", tenantId: "acme" };
const idsIn = ({ userId, sessionId, tenantId }: RuntimeContext) => ({ userId, sessionId, tenantId });

/** The ids that the application sets for a run with the option `run` of `withPlugins`. */
export const ids: readonly Scenario[] = [
  ...inBothModes(
    "the ids and values that `run` returns, known to every plugin from its `begin`",
    ["ids"],
    async (tryIt) => {
      let called = 0;
      const seen: unknown[] = [];
      const watch: Plugin = {
        name: "ids",
        begin: (runtime) => void seen.push([idsIn(runtime), runtime.get(plan)]),
      };
      const run = () => {
        called++;
        return { ...runIds, values: [[plan, "paid"]] as const };
      };
      const trial = await tryIt({ answers: [{ text: "Hello." }], plugins: [watch], run });
      expectEqual(trial.observed.error, undefined, "the error");
      expectThat(seen.length > 0, "no run began");
      for (const each of seen) expectEqual(each, [runIds, "paid"], "the ids and the value at the begin of a run");
      expectEqual(called, seen.length, "the number of times that `run` was called");
      for (const { runtime } of trial.events) expectEqual(idsIn(runtime), runIds, "the ids of a call");
    },
  ),
  ...inBothModes(
    "a `run` that throws: the call fails with that error, and no model is asked",
    ["ids"],
    async (tryIt) => {
      const refused = new Error("not signed in");
      const run = () => {
        throw refused;
      };
      const trial = await failing(tryIt, run);
      expectThat(isOrCausedBy(trial.observed.error, refused), `the error was ${String(trial.observed.error)}`);
    },
  ),
  ...inBothModes(
    "a `run` that returns what is no ids: refused by name, and no model is asked",
    ["ids"],
    async (tryIt) => {
      const trial = await failing(tryIt, () => ({ userID: "ada" }) as object);
      const { error } = trial.observed;
      const code = error instanceof Error ? ((error.cause ?? error) as { code?: unknown }).code : undefined;
      expectEqual(
        [code, (error as { code?: unknown }).code].includes("ERR_INVALID_OPTION"),
        true,
        "ERR_INVALID_OPTION",
      );
    },
  ),
];

async function failing(tryIt: Try, run: () => object) {
  const trial = await tryIt({ answers: [{ text: "Hello." }], run });
  expectEqual(trial.observed.prompts, [], "the requests to the model");
  return trial;
}

/** Clients wrap an error of their `fetch` as the cause of their error. */
const isOrCausedBy = (error: unknown, expected: Error): boolean =>
  error === expected || (error instanceof Error && error.cause === expected);
