import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import {
  type AgentOptions,
  type AgentTool,
  type AgentTotals,
  approve,
  cancel,
  createAgent,
  defineTool,
  type Model,
  type PendingState,
  result,
  type SuspendedResult,
} from "@suite/agent";
import type { Part, Plugin } from "@suite/core";
import fc from "fast-check";
import { call } from "./support.js";
import { type Answer, agentOf, asks, clock, model, tokens } from "./totals-support.js";

beforeEach(() => {
  clock.now = 1000;
  jest.spyOn(performance, "now").mockImplementation(() => clock.now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const toolOf = (
  name: string,
  answers: readonly Answer[],
  tools: readonly AgentTool[] = [],
  more: Partial<AgentOptions> = {},
) => agentOf(name, answers, tools, more).asTool({ description: name });

describe("what sub-agents use", () => {
  const figures = ({ agent, runs, usage, inferenceCalls, toolCalls, subAgents }: AgentTotals): unknown => ({
    agent,
    runs,
    tokens: usage.inputTokens,
    calls: [inferenceCalls, toolCalls],
    below: subAgents.map(figures),
  });
  const times = ({ agent, durationMs, selfDurationMs, subAgents }: AgentTotals): unknown => [
    agent,
    durationMs,
    selfDurationMs,
    ...subAgents.map(times),
  ];

  it("is theirs, also of a sub-agent's sub-agent, and stands once in the sum", async () => {
    const clerk = toolOf("clerk", [{ usage: tokens(1, 1), ms: 1 }]);
    const helper = toolOf(
      "helper",
      [{ says: asks("clerk"), usage: tokens(20, 1), ms: 20 }, { usage: tokens(30, 1) }],
      [clerk],
    );
    const outer = agentOf(
      "outer",
      [{ says: asks("helper"), usage: tokens(400, 1), ms: 400 }, { usage: tokens(500, 1) }],
      [helper],
    );
    const done = await outer.run("go");
    expect(done).toMatchObject({ usage: tokens(951, 5), inferenceCalls: 5, toolCalls: 2, durationMs: 421 });
    expect(figures(done.byAgent)).toEqual({
      agent: "outer",
      runs: 1,
      tokens: 900,
      calls: [2, 1],
      below: [
        {
          agent: "helper",
          runs: 1,
          tokens: 50,
          calls: [2, 1],
          below: [{ agent: "clerk", runs: 1, tokens: 1, calls: [1, 0], below: [] }],
        },
      ],
    });
    expect(times(done.byAgent)).toEqual(["outer", 421, 400, ["helper", 21, 20, ["clerk", 1, 1]]]);
  });

  it("is added up by name where one is called again", async () => {
    const clerk = toolOf("clerk", []);
    const helper = toolOf("helper", [{}, { says: asks("clerk"), ms: 7 }, {}, {}], [clerk]);
    const rounds = [{ says: asks("helper") }, { says: asks("helper", "clerk") }, {}];
    const done = await agentOf("outer", rounds, [helper, clerk]).run("go");
    expect(done).toMatchObject({ inferenceCalls: 8, toolCalls: 4, usage: tokens(80, 40), durationMs: 7 });
    expect(done.byAgent.subAgents.map(({ agent, runs, inferenceCalls }) => [agent, runs, inferenceCalls])).toEqual([
      ["helper", 2, 3],
      ["clerk", 1, 1],
    ]);
  });

  it("takes the time once in which two run at once: none of it is their caller's own", async () => {
    const doors = new Map<string, () => void>();
    const at = async (door: string) => {
      while (!doors.has(door)) await new Promise((resolve) => setImmediate(resolve));
    };
    const wait = (door: string) => new Promise<void>((open) => doors.set(door, open));
    const slow = (name: string): AgentTool => {
      const waiting: Model = {
        ...model({}),
        generate: async () => {
          await wait(name);
          return { message: { role: "assistant", parts: [] }, usage: tokens(1, 0) };
        },
      };
      const tells = { name: "tells", end: () => void doors.set(`after ${name}`, () => {}) };
      return createAgent({ name, model: waiting, plugins: [tells] }).asTool({ description: name });
    };
    const late: Plugin = {
      name: "late",
      async tool(_, next) {
        await wait("late");
        await next();
      },
    };
    const tools = [slow("a"), { ...slow("b"), plugins: [late] }];
    const running = agentOf("outer", [{ says: asks("a", "b"), ms: 1000 }, { ms: 2000 }], tools).run("go");
    await at("a");
    await at("late");
    clock.now += 40;
    doors.get("late")?.();
    await at("b");
    clock.now += 100;
    doors.get("a")?.();
    await at("after a");
    clock.now += 150;
    doors.get("b")?.();
    const done = await running;
    expect(times(done.byAgent)).toEqual(["outer", 3290, 3000, ["a", 140, 140], ["b", 250, 250]]);
    expect(done).toMatchObject({ durationMs: 3290, usage: tokens(22, 10) });
  });

  it("counts where one fails", async () => {
    const helper = toolOf("helper", [
      { says: asks("none"), ms: 5 },
      { fails: new Error("gone"), ms: 6 },
    ]);
    const done = await agentOf("outer", [{ says: asks("helper") }, {}], [helper]).run("go");
    expect(done).toMatchObject({ usage: tokens(30, 15), inferenceCalls: 4, toolCalls: 2 });
    expect(times(done.byAgent)).toEqual(["outer", 11, 0, ["helper", 11, 11]]);
  });

  it("counts where a tool runs an agent by itself, as a part of its run", async () => {
    const helper = agentOf("helper", [{ ms: 5 }]);
    const tool = defineTool({
      name: "look",
      execute: async (_, runtime, at) => (await helper.run("?", { parent: runtime, parentCall: at })).status,
    });
    const done = await agentOf("outer", [{ says: asks("look") }, {}], [tool]).run("go");
    expect(done).toMatchObject({ usage: tokens(30, 15), inferenceCalls: 3, toolCalls: 1 });
    expect(times(done.byAgent)).toEqual(["outer", 5, 0, ["helper", 5, 5]]);
  });

  const keys = [{ id: "k", secret: "s".repeat(32) }];
  const pay = () => defineTool({ name: "pay", needsApproval: true, execute: () => (clock.now += 3) });
  const ship = defineTool({ name: "ship" });
  /** A process: the outer agent with a helper that pays and ships. */
  const process = (outer: readonly Answer[], helper: readonly Answer[]) =>
    agentOf("outer", outer, [toolOf("helper", helper, [pay(), ship], { resume: { keys } })], { resume: { keys } });
  const stored = ({ pending }: SuspendedResult) => JSON.parse(JSON.stringify(pending)) as PendingState;
  const find = (pending: PendingState, id: string) => {
    const found = pending.calls.find((each) => each.id === id);
    if (found === undefined) throw new Error(`${id} does not wait`);
    return found;
  };

  it("goes on counting over suspensions, also elsewhere, and waiting is no work", async () => {
    const one = (await process(
      [{ says: asks("helper"), ms: 100 }],
      [{ says: asks("pay", "ship"), usage: tokens(7, 1), ms: 20 }],
    ).run("go")) as SuspendedResult;
    expect(one).toMatchObject({
      status: "suspended",
      usage: tokens(17, 6),
      durationMs: 120,
      inferenceCalls: 2,
      toolCalls: 0,
    });
    clock.now += 86_400_000;

    const first = stored(one);
    const decisions = [approve(find(first, "0/0"))];
    const two = (await process([], []).run({ pending: first, decisions })) as SuspendedResult;
    expect(two).toMatchObject({ status: "suspended", usage: tokens(17, 6), durationMs: 123, toolCalls: 1 });
    clock.now += 86_400_000;

    const second = stored(two);
    const shipped = [result(find(second, "0/1"), "on its way")];
    const three = await process([{ usage: tokens(11, 1), ms: 200 }], [{ usage: tokens(8, 1), ms: 40 }]).run({
      pending: second,
      decisions: shipped,
    });
    expect(three).toMatchObject({
      status: "completed",
      usage: tokens(36, 8),
      durationMs: 363,
      inferenceCalls: 4,
      toolCalls: 3,
    });
    expect(times(three.byAgent)).toEqual(["outer", 363, 300, ["helper", 63, 63]]);
    expect(three.byAgent.subAgents[0]).toMatchObject({ runs: 1, usage: tokens(15, 2), toolCalls: 2 });
  });

  it("is kept of one that ended before, and while one waits on and another call of its caller is settled", async () => {
    const build = (says: string | readonly Part[], ...outer: readonly Answer[]) => {
      const helper = toolOf("helper", [{ says }], [ship], { resume: { keys } });
      return agentOf("outer", outer, [helper, toolOf("clerk", []), pay()], { resume: { keys } });
    };
    const calls = [call("h", "helper", { prompt: "?" }), call("p", "pay")];
    const one = (await build(asks("ship"), { says: asks("clerk") }, { says: calls }).run("go")) as SuspendedResult;
    const first = stored(one);
    const two = (await build("").run({ pending: first, decisions: [approve(find(first, "p"))] })) as SuspendedResult;
    expect(two).toMatchObject({ usage: tokens(40, 20), toolCalls: 2 });
    const second = stored(two);
    const three = await build("", {}).run({ pending: second, decisions: [cancel(find(second, "h/0"))] });
    expect(figures(three.byAgent)).toEqual({
      agent: "outer",
      runs: 1,
      tokens: 30,
      calls: [3, 3],
      below: [
        { agent: "clerk", runs: 1, tokens: 10, calls: [1, 0], below: [] },
        { agent: "helper", runs: 1, tokens: 20, calls: [2, 0], below: [] },
      ],
    });
    expect(three.usage).toEqual(tokens(60, 30));
  });

  it("adds up to what the models told, whatever the tree", async () => {
    interface Node {
      readonly name: string;
      /** Tokens of each of its rounds, and the sub-agents that each but the last calls at once. */
      readonly rounds: readonly { readonly used: number; readonly below: readonly Node[] }[];
    }
    const node = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.record({
        name: fc.constantFrom("a", "b", "c"),
        rounds: fc.array(
          fc.record({
            used: fc.nat(1000),
            below: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie("node"), { minLength: 1, maxLength: 2 })),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    })).node;
    let told = 0;
    let asked = 0;
    const build = ({ name, rounds }: Node) => {
      const answers: Answer[] = rounds.map(({ used, below }, round) => ({
        says:
          below.length > 0
            ? below.map((_, at) => call(`${at}`, `t${round}_${at}`, { prompt: "?" }))
            : [call("x", "no")],
        usage: tokens(used, 1),
        ms: 1,
      }));
      answers.push({ usage: tokens(1, 1), ms: 1 });
      told += rounds.reduce((sum, { used }) => sum + used, 1);
      asked += answers.length;
      const tools = rounds.flatMap(({ below }, round) =>
        below.map((each, at): AgentTool => build(each).asTool({ name: `t${round}_${at}`, description: "" })),
      );
      return agentOf(name, answers, tools);
    };
    const selves = (each: AgentTotals): number =>
      each.subAgents.reduce((sum, inner) => sum + selves(inner), each.selfDurationMs);
    await fc.assert(
      fc.asyncProperty(node, async (tree) => {
        told = 0;
        asked = 0;
        const done = await build(tree).run("go");
        expect(done.usage).toEqual(tokens(told, asked));
        expect(done).toMatchObject({ inferenceCalls: asked, durationMs: asked });
        expect(selves(done.byAgent)).toBeGreaterThanOrEqual(done.durationMs);
      }),
      { numRuns: 40 },
    );
  });
});
