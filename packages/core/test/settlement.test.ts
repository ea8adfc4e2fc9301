import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { CoreError, type Delta, type Stage } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { type Answer, type Ending, endings, immediate, type Pace, World } from "./endings.js";
import { request, sleep } from "./support.js";

const stages: Readonly<Record<string, Stage<Delta, unknown>>> = {
  watches: {},
  passes: { chunk: (delta, emit) => emit(delta) },
  "takes time": {
    async chunk(delta, emit) {
      await immediate();
      emit(delta);
    },
  },
  "holds back": { chunk() {}, flush: (emit) => emit({ type: "finish" }) },
  doubles: {
    chunk(delta, emit) {
      emit(delta);
      emit(delta);
    },
  },
  surrounds: { around: (pull) => pull() },
  "settles later": { settle: immediate },
  "fails to settle": {
    settle() {
      throw new Error("settle");
    },
  },
  "fails to settle later": { settle: () => Promise.reject(new Error("settle")) },
};

const example = fc.record({
  names: fc.array(fc.constantFrom(...Object.keys(stages)), { maxLength: 4 }),
  chunks: fc.nat(4),
  at: fc.nat(4),
  pace: fc.constantFrom<Pace>("sync", "promise", "immediate", "generator"),
  place: fc.nat(4),
});

/** A consumer is told what users' own code threw, or why the signal, or the run, ended it; never of our own making. */
function checkError(error: unknown, { theirs, left, bye }: World): void {
  if (CoreError.is(error)) expect(error.code).toBe("ERR_RUN_ENDED");
  else expect([theirs, left, bye]).toContain(error);
}

async function check(ending: Ending, given: { names: string[]; place: number }, world: World): Promise<void> {
  const plugins = given.names.map((name) => world.counted(stages[name] ?? {}));
  if (ending.disturbing !== undefined) plugins.splice(given.place, 0, ending.disturbing(world));
  const stack = new PluginStack(plugins);
  const run = stack.begin({ signal: world.abort.signal });
  world.run = run;
  const core = ending.core?.(world) ?? world.answer();
  let answer: Answer | undefined;
  const ask = async (): Promise<Answer> => {
    answer = await stack.call("model", run, request, core);
    return answer;
  };
  let told = false;
  await ending.act(ask, world).catch((error: unknown) => {
    told = true;
    checkError(error, world);
  });
  await run.end(world.bye);
  if (answer === undefined) expect(told).toBe(true);
  else {
    const { status } = await Promise.race([answer.settled, sleep(200).then(() => ({ status: "never" }))]);
    expect(ending.may).toContain(status);
    if (ending.gentle !== true) expect(told).toBe(status === "failed" || status === "cancelled");
  }
  expect(world.piped).toEqual(world.piped.map((statuses) => [statuses[0] ?? "once"]));
  expect(world.sources.map(({ closed }) => closed)).toEqual(world.sources.map(() => true));
  await immediate(); // an unhandled rejection fails the test
}

describe("every answer settles each of its stages once, closes its source, and resolves settled, when it is", () => {
  let silenced: jest.SpiedFunction<typeof console.error>;
  beforeAll(() => {
    silenced = jest.spyOn(console, "error").mockImplementation(() => {}); // the settles that fail
  });
  afterAll(() => silenced.mockRestore());

  it.each(Object.entries(endings))("%s", (_name, ending) =>
    fc.assert(
      fc.asyncProperty(example, (given) => check(ending, given, new World(given.chunks, given.at, given.pace))),
      { numRuns: runs(60) },
    ),
  );
});
