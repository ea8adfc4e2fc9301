import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { definePlugin, type RuntimeContext, resultKey, stateKey, Values } from "@suite/core";
import { redactorsKey } from "@suite/core/contract";
import { call, codeOf, only, scripted, suspended } from "./support.js";

const tenant = stateKey<string>("tenant", () => "nobody");
const durableTenant = stateKey<string>("tenant", () => "nobody", { save: (name) => name, load: String });
const sources = resultKey<readonly string[]>("sources", { save: (all) => all, load: (all) => all as string[] });
const ended = resultKey<boolean>("ended");

const cites = definePlugin({
  name: "cites",
  begin: (runtime) => runtime.set(sources, [...(runtime.get(sources) ?? []), runtime.get(tenant)]),
  end: (runtime) => runtime.set(ended, true),
});

describe("values of a run", () => {
  it("are there before the first hook, and for tools", async () => {
    const tool = defineTool({ name: "who", execute: (_input, runtime) => runtime.get(tenant) });
    const model = scripted([call("1", "who")], "done");
    const agent = createAgent({ name: "a", model, tools: [tool], plugins: [cites] });
    const values = new Values().set(tenant, "acme");
    const done = await agent.run("x", { values });
    expect(model.asked[1]?.messages.at(-1)?.parts[0]).toMatchObject({ response: "acme" });
    expect(done.values.get(sources)).toEqual(["acme"]);
    expect(done.values.get(ended)).toBe(true);
    expect(done.values.get(tenant)).toBeUndefined(); // no key of a result's: what a run keeps is gone with it
  });

  it("are each run's own, whole and streamed", async () => {
    const agent = createAgent({ name: "a", model: scripted("1", "2", "3"), plugins: [cites] });
    const values = (name: string) => ({ values: new Values().set(tenant, name) });
    const [a, b] = await Promise.all([agent.run("x", values("a")), agent.stream("x", values("b")).result]);
    expect([a.values.get(sources), b.values.get(sources)]).toEqual([["a"], ["b"]]);
    expect((await agent.run("x")).values.get(sources)).toEqual(["nobody"]);
  });

  it("go through a suspension where their keys are durable, in and out", async () => {
    const pay = defineTool({
      name: "pay",
      needsApproval: true,
      execute: (_input, runtime) => `${runtime.get(tenant)}, ${runtime.get(durableTenant)}`,
    });
    const model = scripted([call("1", "pay")], "paid");
    const agent = createAgent({ name: "a", model, tools: [pay], plugins: [cites] });
    const values = new Values().set(tenant, "acme").set(durableTenant, "acme");
    const pending = await suspended(agent.run("x", { values }));
    const done = await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(model.asked[1]?.messages.at(-1)?.parts[0]).toMatchObject({ response: "nobody, acme" });
    expect(done.values.get(sources)).toEqual(["acme", "nobody"]);
  });

  it("cannot be what only core may set, and a value that was taken back is none", async () => {
    const takesBack = definePlugin({
      name: "takes back",
      end(runtime) {
        runtime.set(sources, undefined);
      },
    });
    const agent = createAgent({ name: "a", model: scripted("1"), plugins: [cites, takesBack] });
    expect(await codeOf(agent.run("x", { values: new Values().set(redactorsKey, []) }))).toBe("ERR_KEY_SEALED");
    expect((await agent.run("x")).values.get(sources)).toBeUndefined();
    expect((await createAgent({ name: "b", model: scripted("1") }).run("x")).values.get(sources)).toBeUndefined();
  });
});

describe("the ids of a run", () => {
  it("reach plugins and tools, inner agents, background work, and the run that goes on after a suspension", async () => {
    const seen: string[] = [];
    const note = (where: string, { userId, sessionId, tenantId }: RuntimeContext) =>
      void seen.push(`${where} ${userId} ${sessionId} ${tenantId}`);
    const watch = definePlugin({
      name: "watch",
      inSubAgents: true,
      begin: (runtime) => note(runtime.agent?.name ?? "", runtime),
    });
    const inner = createAgent({ name: "inner", model: scripted("found") });
    const pay = defineTool({
      name: "pay",
      needsApproval: true,
      async execute(_input, runtime) {
        note("tool", runtime);
        await runtime.background((own) => note("background", own));
        return "paid";
      },
    });
    const find = inner.asTool({ name: "find", description: "finds" });
    const model = scripted([call("1", "find", { prompt: "x" })], [call("2", "pay")], "done");
    const agent = createAgent({ name: "outer", model, tools: [find, pay], plugins: [watch] });
    const ids = { userId: "ada", sessionId: "s1", tenantId: "acme" };
    const pending = await suspended(agent.run("x", ids));
    expect(await codeOf(agent.run({ pending, decisions: [approve(only(pending))] }, { tenantId: "other" }))).toBe(
      "ERR_AGENT_PENDING_INVALID",
    );
    await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(seen).toEqual(
      ["outer", "inner", "outer", "tool", "outer", "background"].map((where) => `${where} ada s1 acme`),
    );
  });
});
