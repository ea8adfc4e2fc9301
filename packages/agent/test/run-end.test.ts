import { expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { MiddlewareTermination, type Plugin, type RunSettlement } from "@suite/core";
import { call, only, type Said, scripted, suspended } from "./support.js";

/** An agent whose runs, and those of its sub-agents, tell how they ended. */
function telling(rounds: readonly Said[], plugins: readonly Plugin[] = [], options: object = {}) {
  const told: [string | undefined, RunSettlement["status"]][] = [];
  const watch: Plugin = {
    name: "w",
    inSubAgents: true,
    end: (r, { status }) => void told.push([r.agent?.name, status]),
  };
  const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const agent = createAgent({
    name: "a",
    model: scripted(...rounds),
    tools: [pay],
    plugins: [watch, ...plugins],
    ...options,
  });
  return { agent, told };
}

it("tells how a run ended: suspended, then completed", async () => {
  const { agent, told } = telling([[call("1", "pay")], "ok"]);
  const pending = await suspended(agent.run("go"));
  await agent.run({ pending, decisions: [approve(only(pending))] });
  expect(told).toEqual([
    ["a", "suspended"],
    ["a", "completed"],
  ]);
});

it("tells a failure before the first call, of the model, and of the final answer", async () => {
  const broken: Plugin = { name: "broken", tools: () => Promise.reject(new Error("no list")) };
  for (const { agent, told } of [
    telling(["ok"], [broken]),
    telling([new Error("503")]),
    telling(["no JSON"], [], { outputSchema: { type: "object" } }),
  ]) {
    await expect(agent.run("go")).rejects.toThrow();
    expect(told).toEqual([["a", "failed"]]);
  }
});

it("tells an abort, and a reader who leaves", async () => {
  const aborting = new AbortController();
  const leaves = () => {
    aborting.abort(new Error("left"));
    return "ok";
  };
  const one = telling([leaves]);
  await expect(one.agent.run("go", { signal: aborting.signal })).rejects.toThrow("left");
  const two = telling(["a long text"]);
  for await (const _ of two.agent.stream("go")) break;
  expect([one.told, two.told]).toEqual([[["a", "cancelled"]], [["a", "cancelled"]]]);
});

it("reports that a layer ended it, with or without a reply, unless another layer calls the model again", async () => {
  const stops = (reply?: string): Plugin => ({
    name: "stops",
    reasoning: () => Promise.reject(new MiddlewareTermination("Enough.", { ...(reply && { reply }) })),
  });
  const one = telling([], [stops("Bye.")]);
  expect(await one.agent.run("go")).toMatchObject({ status: "completed", text: "Bye." });
  const two = telling([], [stops()]);
  await expect(two.agent.run("go")).rejects.toThrow("Enough.");
  expect([one.told, two.told]).toEqual([[["a", "terminated"]], [["a", "terminated"]]]);
  let first = true;
  const again: Plugin = {
    name: "again",
    async agent(c, next) {
      await next();
      await c.result?.final();
      await next();
    },
    async reasoning(_c, next) {
      if (!first) return next();
      first = false;
      throw new MiddlewareTermination("Enough.", { reply: "Bye." });
    },
  };
  const three = telling(["ok"], [again]);
  expect(await three.agent.run("go")).toMatchObject({ text: "ok" });
  expect(three.told).toEqual([["a", "completed"]]);
});

it("reports the end of sub-agents, and of a run that was not resumed in time", async () => {
  const inner = createAgent({ name: "inner", model: scripted("found") });
  const outer = telling([[call("1", "inner", { prompt: "?" })], "ok"], [], {
    tools: [inner.asTool({ description: "Helps." })],
  });
  await outer.agent.run("go");
  expect(outer.told).toEqual([
    ["inner", "completed"],
    ["a", "completed"],
  ]);
  const late = telling([[call("1", "pay")]], [], { resume: { expiresIn: -1 } });
  const pending = await suspended(late.agent.run("go"));
  await late.agent.expire(pending);
  expect(late.told).toEqual([
    ["a", "suspended"],
    ["a", "cancelled"],
  ]);
});
