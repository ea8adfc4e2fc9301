import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { CallId, Invocation, ModelRequest, Plugin, Usage } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { SUITE_HISTOGRAM } from "../src/metrics/names.js";
import { Metering } from "./metering.js";
import { Harness, modelRequest, reply, stopSdk, tool, words } from "./support.js";

let metering: Metering;
/** The time in milliseconds; it passes only where a test says so. */
let now = 0;
beforeEach(() => {
  metering = new Metering().register();
  now = 1000;
  jest.spyOn(performance, "now").mockImplementation(() => now);
  jest.spyOn(Date, "now").mockImplementation(() => 1_700_000_000_000 + now);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await metering.stop();
  stopSdk();
});

const points = async (name: string) => (await metering.read())[name]?.points ?? [];
/** Sums by the value of an attribute. */
const sums = async (name: string, by: string) => {
  const found: Record<string, number> = {};
  for (const { attributes, sum } of await points(name)) {
    const value = String(attributes[by]);
    found[value] = (found[value] ?? 0) + sum;
  }
  return found;
};
const byAgent = (name: string) => sums(`suite.invoke_agent.${name}`, "gen_ai.agent.name");
const used = (inputTokens: number, more: Partial<Usage> = {}): Usage => ({ inputTokens, outputTokens: 1, ...more });

/** One model call that takes so long and uses so much. */
const ask = async (harness: Harness, run: Run, call: CallId | undefined, usage: Usage, ms = 0) => {
  const core = async (model: Invocation<"model">): Promise<void> => {
    now += ms;
    model.respond({ value: { ...reply("a"), usage } });
  };
  await (await harness.stack.call("model", run, modelRequest(), core, call)).final();
};
/** A tool that is an agent. */
const agentTool = (harness: Harness, outer: Run, name: string, body: (run: Run, call: CallId) => Promise<void>) =>
  tool(name, async (_input, _runtime, parent) => {
    const run = harness.begin({ parent: outer, agent: { name } });
    const said = await harness.agent(
      run,
      async function* (call) {
        await body(run, call);
        yield* words("done");
      },
      undefined,
      parent,
    );
    await said.final();
    await run.end();
  });

describe("the metrics of an agent", () => {
  it("count only its tokens and time; sub-agents are counted under their names", async () => {
    const harness = new Harness();
    const run = harness.begin();
    const clerk = (outer: Run) =>
      agentTool(harness, outer, "clerk", (own, call) => ask(harness, own, call, used(1), 1000));
    const helper = agentTool(harness, run, "helper", async (own, call) => {
      await ask(harness, own, call, used(20, { cacheReadInputTokens: 5 }), 20_000);
      await (await harness.tool(own, clerk(own), {}, call)).final();
    });
    const outcome = await harness.agent(run, async function* (call) {
      await ask(harness, run, call, used(300, { reasoningOutputTokens: 1, cacheCreationInputTokens: 7 }), 300_000);
      for (const _ of [1, 2]) await (await harness.tool(run, helper, {}, call)).final();
      await ask(harness, run, call, used(400));
      yield* words("done");
    });
    await outcome.final();
    expect(await byAgent("usage.input_tokens")).toEqual({ support: 700, helper: 40, clerk: 2 });
    expect(await byAgent("usage.output_tokens")).toEqual({ support: 2, helper: 2, clerk: 2 });
    expect(await byAgent("usage.cache_read.input_tokens")).toEqual({ helper: 10 });
    expect(await byAgent("usage.cache_write.input_tokens")).toEqual({ support: 7 });
    expect(await byAgent("usage.reasoning.output_tokens")).toEqual({ support: 1 });
    expect(await byAgent("self_duration")).toEqual({ support: 300, helper: 40, clerk: 2 });
    const whole = await points("gen_ai.invoke_agent.duration");
    expect(whole.map(({ count, sum }) => [count, sum]).sort()).toEqual([
      [1, 342],
      [2, 2],
      [2, 42],
    ]);
    const [counted] = await points("gen_ai.client.inference.usage.input_tokens");
    expect(counted?.sum).toBe(742);
  });

  it("have the time once in which two sub-agents run at once", async () => {
    const harness = new Harness();
    const run = harness.begin();
    const gates = new Map<string, () => void>();
    const wait = (name: string) => new Promise<void>((open) => gates.set(name, open));
    const at = async (name: string) => {
      while (!gates.has(name)) await new Promise((resolve) => setImmediate(resolve));
    };
    const go = async (name: string, ms: number) => {
      await at(name);
      now += ms;
      gates.get(name)?.();
    };
    const outcome = await harness.agent(run, async function* (call) {
      const [a, b] = ["a", "b"].map(async (name) => {
        await wait(`before ${name}`);
        const agent = agentTool(harness, run, name, () => wait(name));
        return (await harness.tool(run, agent, {}, call)).final();
      });
      await go("before a", 500);
      await at("a");
      await go("before b", 4000);
      await at("b");
      await go("a", 1000);
      await a;
      await go("b", 2000);
      await b;
      now += 1000;
      yield* words("done");
    });
    await outcome.final();
    expect(await byAgent("self_duration")).toEqual({ support: 1.5, a: 5, b: 3 });
  });

  it("contain no tokens if no model reported any", async () => {
    const harness = new Harness();
    const run = harness.begin();
    const outcome = await harness.agent(run, () => words("done"));
    await outcome.final();
    expect(Object.keys(await metering.read()).sort()).toEqual([
      "gen_ai.invoke_agent.duration",
      "suite.invoke_agent.self_duration",
    ]);
  });

  it("have units and the buckets of their like in the conventions", async () => {
    const harness = new Harness();
    const run = harness.begin();
    const all = { cacheReadInputTokens: 1, cacheCreationInputTokens: 1, reasoningOutputTokens: 1 };
    const outcome = await harness.agent(run, async function* (call) {
      await ask(harness, run, call, used(1, all));
      yield* words("done");
    });
    await outcome.final();
    const read = await metering.read();
    for (const { name, unit, buckets } of Object.values(SUITE_HISTOGRAM)) {
      expect(read[name]).toMatchObject({ unit, points: [{ buckets, attributes: { "gen_ai.agent.name": "support" } }] });
    }
  });
});

describe("the metrics of attempts", () => {
  const retry: Plugin = {
    name: "retry",
    async model(_, next) {
      await next().catch(() => {
        now += 100_000;
        return next();
      });
    },
    tool: (_, next) => next().catch(next),
  };
  const answering = async (harness: Harness, changes: Partial<ModelRequest> = {}) => {
    const run = harness.begin();
    let left = 1;
    const outcome = await harness.agent(run, async function* (call) {
      const core = async (model: Invocation<"model">): Promise<void> => {
        now += left > 0 ? 10_000 : 20_000;
        if (left-- > 0) throw Object.assign(new Error("no"), { code: "ERR_OVERLOADED" });
        model.respond({ stream: words("a") });
      };
      yield* await harness.stack.call("model", run, modelRequest(changes), core, call);
    });
    await outcome.final();
    await run.end();
  };

  it.each([
    ["outside", new Harness({}, [retry])],
    ["inside", new Harness({}, [], [retry])],
  ] as const)("are those of calls: each has its time, with tracing %s", async (_, harness) => {
    await answering(harness);
    expect(await sums("gen_ai.client.inference.duration", "error.type")).toEqual({ ERR_OVERLOADED: 10, undefined: 20 });
    expect(await points("gen_ai.invoke_agent.inference_calls")).toMatchObject([{ count: 1, sum: 2 }]);
    expect(await points("gen_ai.client.inference.usage.input_tokens")).toMatchObject([{ sum: 3 }]);
  });

  it("have the time to the first chunk from when the attempt began that had one", async () => {
    await answering(new Harness({}, [retry]), { stream: true });
    expect(await points("gen_ai.client.inference.time_to_first_chunk")).toMatchObject([{ count: 1, sum: 20 }]);
  });

  it("count what was used for an answer that was thrown away, read or not, for the agent too", async () => {
    const picky: Plugin = {
      name: "picky",
      async model(call, next) {
        await next();
        if (call.request.model === "read") await call.result?.final();
        await next();
      },
    };
    const harness = new Harness({}, [picky]);
    for (const model of ["read", "unread"]) {
      const run = harness.begin();
      const outcome = await harness.agent(run, async function* (call) {
        const core = async (asked: Invocation<"model">): Promise<void> => {
          asked.respond({ value: { ...reply("a"), usage: used(5) } });
        };
        await (await harness.stack.call("model", run, modelRequest({ model }), core, call)).final();
        yield* words("done");
      });
      await outcome.final();
    }
    expect(await sums("gen_ai.client.inference.usage.input_tokens", "gen_ai.request.model")).toEqual({
      read: 10,
      unread: 10,
    });
    expect(await byAgent("usage.input_tokens")).toEqual({ support: 20 });
  });

  it("of tools are those of tool calls", async () => {
    const harness = new Harness({}, [retry]);
    let left = 1;
    const find = tool("find", async () => {
      now += left > 0 ? 1000 : 2000;
      if (left-- > 0) throw new TypeError("no");
    });
    await (await harness.tool(harness.begin(), find, {})).final();
    expect(await sums("gen_ai.execute_tool.duration", "error.type")).toEqual({ TypeError: 1, undefined: 2 });
  });
});
