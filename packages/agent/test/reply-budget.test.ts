import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { definePlugin, MiddlewareTermination, type RuntimeContext, stateKey, treeKey, usageOf } from "@suite/core";
import { call, only, scripted, suspended } from "./support.js";

const outermost = (runtime: RuntimeContext): RuntimeContext =>
  runtime.parent === undefined ? runtime : outermost(runtime.parent);

const asked = treeKey("asked", (): readonly string[] => [], { save: (all) => all, load: (all) => all as string[] });
const own = stateKey("own", () => 0);

/** A limit on the tokens of a whole reply, written from the public contract alone. */
const budget = (maximum: number) =>
  definePlugin({
    name: "budget",
    inSubAgents: true,
    async model({ runtime }, callNext) {
      const { inputTokens = 0, outputTokens = 0 } = usageOf(outermost(runtime)) ?? {};
      if (inputTokens + outputTokens >= maximum)
        throw new MiddlewareTermination("budget", { reply: "No budget left." });
      runtime.set(asked, [...runtime.get(asked), runtime.agent?.name ?? ""]);
      runtime.set(own, runtime.get(own) + 1);
      await callNext();
    },
  });

const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });

/** Outer: asks the inner agent, then would ask on. Inner: pays (a person is asked), then answers. 15 tokens a round. */
function agents(maximum: number) {
  const model = scripted([call("1", "helper", { prompt: "pay" })], "never said in time");
  const inner = scripted([call("p", "pay")], "it is paid");
  const helper = createAgent({ name: "helper", model: inner, tools: [pay] }).asTool({ description: "helps" });
  let last: readonly string[] = [];
  const sees = definePlugin({
    name: "sees",
    end(runtime) {
      last = runtime.get(asked);
    },
  });
  const outer = createAgent({ name: "outer", model, tools: [helper], plugins: [budget(maximum), sees] });
  return { outer, model, inner, asked: () => last };
}

const resumes = ["run", "stream"] as const;

describe("a budget on a whole reply", () => {
  it.each(resumes)("counts sub-agents' tokens, and goes on counting after a pause (%s)", async (mode) => {
    const { outer, model, inner, asked: names } = agents(45);
    const pending = await suspended(outer.run("x"));
    expect(names()).toEqual(["outer", "helper"]);
    const input = { pending, decisions: [approve(only(pending))] };
    const done = mode === "run" ? await outer.run(input) : await outer.stream(input).result;
    expect(done).toMatchObject({ status: "completed", text: "No budget left." });
    expect([model.asked.length, inner.asked.length]).toEqual([1, 2]);
    expect(names()).toEqual(["outer", "helper", "helper"]);
    expect(done.usage).toEqual({ inputTokens: 30, outputTokens: 15 });
  });

  it("ends the sub-agent that would go beyond it, with the reply as its answer", async () => {
    const { outer, inner } = agents(15);
    const done = await outer.run("x");
    expect(done).toMatchObject({ status: "completed", text: "No budget left." });
    expect(inner.asked).toEqual([]);
    expect(JSON.stringify(done.messages[2])).toContain("No budget left.");
  });

  it("is in nobody's way as long as there is some, and its own keys are each run's", async () => {
    const { outer, asked: names } = agents(1000);
    const pending = await suspended(outer.run("x"));
    const done = await outer.run({ pending, decisions: [approve(only(pending))] });
    expect(done).toMatchObject({ text: "never said in time" });
    expect(names()).toEqual(["outer", "helper", "helper", "outer"]);
  });
});

describe("a plugin of the outer agent", () => {
  it("does not apply to sub-agents unless it is configured to", async () => {
    const seen: string[] = [];
    const watch = (name: string, inSubAgents?: true) =>
      definePlugin({
        name,
        ...(inSubAgents && { inSubAgents }),
        async tool({ runtime, request }, callNext) {
          seen.push(`${name} ${runtime.agent?.name} ${request.tool.name}`);
          await callNext();
        },
      });
    const look = defineTool({ name: "look", execute: () => "seen" });
    const other = { ...defineTool({ name: "other", execute: () => "" }), plugins: [watch("of a tool", true)] };
    const inner = createAgent({ name: "inner", model: scripted([call("l", "look")], "ok"), tools: [look] });
    const outer = createAgent({
      name: "outer",
      model: scripted([call("1", "inner", { prompt: "x" })], "ok"),
      tools: [inner.asTool({ description: "helps" }), other],
      plugins: [watch("everywhere", true), watch("here")],
    });
    await outer.run("x");
    expect(seen).toEqual(["everywhere outer inner", "here outer inner", "everywhere inner look"]);
  });
});
