import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type PendingState, result, type SuspendedResult } from "@suite/agent";
import type { CallId, Plugin, RuntimeContext } from "@suite/core";
import { redactorOf } from "@suite/core";
import { call, type Said, scripted, shown } from "./support.js";

const ask = (id: string, prompt: string) => call(id, "helper", { prompt });

describe("an agent as a tool", () => {
  it("answers the outer agent, as a part of its run", async () => {
    const seen: [string, CallId | undefined, RuntimeContext | undefined][] = [];
    const watch: Plugin = {
      name: "watch",
      async agent(c, next) {
        seen.push([c.runtime.agent?.name ?? "", c.call.parent, c.runtime.parent]);
        await next();
      },
    };
    const helper = createAgent({ name: "helper", model: scripted("42"), plugins: [watch] });
    const model = scripted([ask("1", "what is it?")], "it is 42");
    const tools = [helper.asTool({ description: "Helps." })];
    const outer = createAgent({ name: "outer", model, tools, plugins: [watch] });
    expect(await outer.run("go", { sessionId: "s" })).toMatchObject({ text: "it is 42" });
    expect(shown(model.asked[1])).toEqual(["42"]);
    expect(seen.map(([name, parent]) => [name, parent?.kind, parent?.parent?.kind])).toEqual([
      ["outer", undefined, undefined],
      ["helper", "tool", "agent"],
    ]);
    expect(seen[1]?.[2]?.sessionId).toBe("s");
  });

  it("is covered by the outer agent's redactors", async () => {
    const redactor = { redact: (text: string) => text.replace("secret", "[X]"), value: (value: unknown) => value };
    let redacted: string | undefined;
    const watch: Plugin = {
      name: "w",
      begin(runtime) {
        redacted = redactorOf(runtime)?.redact("a secret");
      },
    };
    const helper = createAgent({ name: "helper", model: scripted("x"), plugins: [watch] });
    const tools = [helper.asTool({ description: "Helps." })];
    const outer = createAgent({
      name: "outer",
      model: scripted([ask("1", "?")], "done"),
      tools,
      plugins: [{ name: "pii", redactor }],
    });
    await outer.run("go");
    expect(redacted).toBe("a [X]");
  });

  it("suspends the outer run where it waits, and goes on with it, part by part, also elsewhere", async () => {
    const keys = [{ id: "k", secret: "s".repeat(32) }];
    const paid: unknown[] = [];
    const build = (outerRounds: readonly Said[], innerRounds: readonly Said[]) => {
      const innerModel = scripted(...innerRounds);
      const helper = createAgent({
        name: "helper",
        model: innerModel,
        resume: { keys },
        tools: [
          defineTool({ name: "pay", needsApproval: true, execute: (input) => paid.push(input) && "paid" }),
          defineTool({ name: "ship" }),
        ],
      });
      const model = scripted(...outerRounds);
      const tools = [helper.asTool({ description: "Helps." })];
      return { agent: createAgent({ name: "outer", model, resume: { keys }, tools }), model, innerModel };
    };
    const first = build([[ask("o", "pay and ship")]], [[call("i1", "pay", { eur: 5 }), call("i2", "ship")]]);
    const one = (await first.agent.run("go")) as SuspendedResult;
    const pending = JSON.parse(JSON.stringify(one.pending)) as PendingState;
    expect(pending.calls.map(({ id, reason }) => [id, reason])).toEqual([
      ["o/i1", "approval"],
      ["o/i2", "external"],
    ]);
    const decide = (state: PendingState, id: string) => {
      const waiting = state.calls.find((each) => each.id === id);
      if (waiting === undefined) throw new Error(`${id} does not wait`);
      return waiting;
    };
    const second = build([], []);
    const two = (await second.agent.run({ pending, decisions: [approve(decide(pending, "o/i1"))] })) as SuspendedResult;
    expect(paid).toEqual([{ eur: 5 }]);
    expect(two.pending.calls.map(({ id }) => id)).toEqual(["o/i2"]);
    expect(two.pending.calls[0]?.handedOutAt).toBe(decide(pending, "o/i2").handedOutAt);
    const third = build(["all done"], ["paid and shipped"]);
    const decisions = [result(decide(two.pending, "o/i2"), "on its way")];
    expect(await third.agent.run({ pending: two.pending, decisions })).toMatchObject({ text: "all done" });
    expect(shown(third.innerModel.asked[0])).toEqual(["paid", "on its way"]);
    expect(shown(third.model.asked[0])).toEqual(["paid and shipped"]);
  });
});
