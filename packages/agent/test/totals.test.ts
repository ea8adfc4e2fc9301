import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { createAgent, defineTool, type Model, reject, type SuspendedResult } from "@suite/agent";
import type { Part, Plugin } from "@suite/core";
import { type Answer, agentOf, asks, clock, model, tokens } from "./totals-support.js";

beforeEach(() => {
  clock.now = 1000;
  jest.spyOn(performance, "now").mockImplementation(() => clock.now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const tries = (times: number): Plugin => ({
  name: "retry",
  async model(invocation, next) {
    for (let left = times; ; left--) {
      try {
        await next();
        await invocation.result?.ready();
        return;
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  },
});

describe("what a run tells of itself, without any plugin", () => {
  it("is its tokens, its time at work, and how many calls it made", async () => {
    const look = defineTool({ name: "look", execute: () => (clock.now += 30) });
    const cached = {
      ...tokens(100, 7),
      cacheReadInputTokens: 60,
      cacheCreationInputTokens: 20,
      reasoningOutputTokens: 3,
    };
    const answers = [{ says: asks("look", "look"), usage: cached, ms: 200 }, { ms: 100 }];
    const done = await agentOf("a", answers, [look]).run("go");
    const figures = {
      usage: { ...cached, ...tokens(110, 12) },
      durationMs: 360,
      inferenceCalls: 2,
      byModel: [{ model: "scripted-1", usage: { ...cached, ...tokens(110, 12) }, inferenceCalls: 2 }],
      toolCalls: 2,
    };
    expect(done).toMatchObject(figures);
    expect(done.byAgent).toEqual({ agent: "a", runs: 1, ...figures, selfDurationMs: 360, subAgents: [] });
  });

  it("is the same when it streams, and there before it has ended", async () => {
    const look = defineTool({ name: "look", execute: () => "found" });
    const stream = agentOf("a", [{ says: asks("look"), ms: 50 }, { ms: 50 }], [look]).stream("go");
    expect(stream.totals).toBeUndefined();
    const seen: unknown[] = [];
    for await (const delta of stream) if (delta.type === "event") seen.push(stream.totals?.inferenceCalls);
    expect(seen).toEqual([1]);
    expect(await stream.result).toMatchObject({
      usage: tokens(20, 10),
      durationMs: 100,
      inferenceCalls: 2,
      toolCalls: 1,
    });
    clock.now += 5000;
    expect(stream.totals?.durationMs).toBe(100);
  });

  it("is told of a run that failed, by its stream", async () => {
    const stream = agentOf(
      "a",
      [{ says: asks("look") }, { ms: 70, fails: new Error("gone") }],
      [defineTool({ name: "look", execute: () => "found" })],
    ).stream("go");
    await expect(stream.result).rejects.toThrow("gone");
    expect(stream.totals).toMatchObject({ usage: tokens(10, 5), durationMs: 70, inferenceCalls: 2, toolCalls: 1 });
  });

  it("counts a model's last word on its tokens, and no nonsense", async () => {
    const twice: Model = {
      ...model({}),
      async *stream() {
        yield { type: "finish", usage: tokens(10, 1) };
        yield { type: "finish", usage: tokens(10, 4) };
      },
    };
    expect(await createAgent({ name: "a", model: twice }).stream("go").result).toMatchObject({ usage: tokens(10, 4) });
    const odd = { inputTokens: Number.NaN, outputTokens: -3, reasoningOutputTokens: "7" } as never;
    const done = await agentOf("a", [{ says: asks("none"), usage: odd }, {}]).run("go");
    expect(done.usage).toEqual({ ...tokens(10, 5), reasoningOutputTokens: 0 });
  });

  it("counts failed and unknown tools as calls, and none that a layer or a person refused", async () => {
    const gate: Plugin = {
      name: "gate",
      async tool({ request }, next) {
        if (request.tool.name === "closed") throw new Error("not this one");
        await next();
      },
    };
    const tools = [
      defineTool({ name: "breaks", execute: () => Promise.reject(new Error("no")) }),
      defineTool({ name: "closed", execute: () => 1 }),
      defineTool({ name: "pay", needsApproval: true, execute: () => 1 }),
    ];
    const agent = agentOf("a", [{ says: asks("breaks", "closed", "nothing", "pay") }, {}], tools, { plugins: [gate] });
    const first = (await agent.run("go")) as SuspendedResult;
    expect(first.toolCalls).toBe(2);
    const decisions = first.pending.calls.map((each) => reject(each));
    expect((await agent.run({ pending: first.pending, decisions })).toolCalls).toBe(2);
  });
});

describe("attempts of a model call", () => {
  const modes = ["run", "stream"] as const;
  const go = (mode: (typeof modes)[number], answers: readonly Answer[], plugins: readonly Plugin[]) => {
    const agent = agentOf("a", answers, [], { plugins });
    return mode === "run" ? agent.run("go") : agent.stream("go").result;
  };

  it.each(modes)("count each, and the tokens of those that answered: %s", async (mode) => {
    const flaky = [{ fails: new Error("429"), ms: 10 }, { fails: new Error("429"), ms: 20 }, { ms: 40 }];
    const done = await go(mode, flaky, [tries(2)]);
    expect(done).toMatchObject({ usage: tokens(10, 5), inferenceCalls: 3, durationMs: 70 });
  });

  it.each(modes)("count also where the answer was thrown away and asked for again: %s", async (mode) => {
    const picky: Plugin = {
      name: "picky",
      async model(invocation, next) {
        await next();
        const first = await invocation.result?.final();
        if (first?.message.parts.some((part) => part.type === "text" && part.content === "hm")) await next();
      },
    };
    const done = await go(mode, [{ says: "hm", usage: tokens(3, 1) }, { usage: tokens(4, 2) }], [picky]);
    expect(done).toMatchObject({ usage: tokens(7, 3), inferenceCalls: 2 });
  });

  it.each(modes)("count with the model that a layer fell back to: %s", async (mode) => {
    const fallback: Plugin = {
      name: "fallback",
      async model(invocation, next) {
        try {
          await next();
          await invocation.result?.ready();
        } catch {
          invocation.request = { ...invocation.request, model: "small" };
          await next();
        }
      },
    };
    const done = await go(mode, [{ fails: new Error("overloaded") }, { usage: tokens(8, 1) }], [fallback]);
    expect(done).toMatchObject({ usage: tokens(8, 1), inferenceCalls: 2 });
  });

  it.each(modes)(
    "include the report of a layer that called another model, and an answer from a cache used nothing: %s",
    async (mode) => {
      const elsewhere: Plugin = {
        name: "elsewhere",
        async model(invocation, next) {
          await next()
            .then(() => invocation.result?.ready())
            .catch(async () => {
              const other = model({ usage: tokens(6, 2) });
              invocation.respond({
                value: await other.generate(invocation.request, { signal: invocation.runtime.signal }),
              });
            });
        },
      };
      expect(await go(mode, [{ fails: new Error("overloaded") }], [elsewhere])).toMatchObject({ usage: tokens(6, 2) });
      const cache: Plugin = {
        name: "cache",
        async model(invocation) {
          const parts: readonly Part[] = [{ type: "text", content: "known" }];
          invocation.respond({ value: { message: { role: "assistant", parts }, usage: tokens(50, 50) } });
        },
      };
      expect(await go(mode, [], [cache])).toMatchObject({ usage: tokens(0, 0), inferenceCalls: 0 });
    },
  );

  it("count when a compression makes them", async () => {
    const agent = agentOf("a", [{ says: "summary", usage: tokens(30, 3), ms: 5 }, {}], [], {
      compressContext: async (messages, { ask }) => {
        await ask(messages);
        return messages;
      },
    });
    expect(await agent.run("go")).toMatchObject({ usage: tokens(40, 8), inferenceCalls: 2, durationMs: 5 });
  });
});
