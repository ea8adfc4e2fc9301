import { describe, expect, it } from "@jest/globals";
import {
  type AgentOptions,
  approve,
  createAgent,
  defineTool,
  memoryResumeStore,
  type PendingState,
  result,
  type SuspendedResult,
} from "@suite/agent";
import type { CallId, Plugin, RuntimeContext } from "@suite/core";
import { redactorOf } from "@suite/core";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

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

  it("runs in the session of the outer run, for its user", async () => {
    const whose: unknown[] = [];
    const watch: Plugin = {
      name: "watch",
      begin: ({ sessionId, userId }) => void whose.push({ sessionId, userId }),
    };
    const helper = createAgent({ name: "helper", model: scripted("42"), plugins: [watch] });
    const tools = [helper.asTool({ description: "Helps." })];
    const outer = createAgent({ name: "outer", model: scripted([ask("1", "?")], "done"), tools });
    await outer.run("go", { sessionId: "s", userId: "u" });
    expect(whose).toEqual([{ sessionId: "s", userId: "u" }]);
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

const keys = [{ id: "k", secret: "s".repeat(32) }];

/** An outer agent with sub-agents, each with a tool that charges at once and one that waits for a person; and what they did. */
function branches(
  names: readonly string[],
  outer: readonly Said[],
  inner: (name: string) => readonly Said[],
  options: { readonly outer?: Partial<AgentOptions>; readonly inner?: Partial<AgentOptions> } = {},
) {
  const did: string[] = [];
  const tools = names.map((name) => {
    const charge = defineTool({ name: "charge", execute: () => did.push(`${name} charged`) });
    const ship = defineTool({ name: "ship", needsApproval: true, execute: () => did.push(`${name} shipped`) });
    const model = scripted(...inner(name));
    return createAgent({ name, model, tools: [charge, ship], ...options.inner }).asTool({ description: "Helps." });
  });
  const model = scripted(...outer);
  return { agent: createAgent({ name: "outer", model, tools, ...options.outer }), model, did };
}

describe("two sub-agents at once", () => {
  const asksBoth = [call("x", "A", { prompt: "?" }), call("y", "B", { prompt: "?" })];

  it("both wait, and both go on: nothing happens twice", async () => {
    const rounds = () => [[call("1", "charge")], [call("2", "ship")], "done"];
    const { agent, did } = branches(["A", "B"], [asksBoth, "all done"], rounds);
    const pending = await suspended(agent.run("go"));
    expect(pending.calls.map(({ id }) => id)).toEqual(["x/2", "y/2"]);
    const half = await suspended(agent.run({ pending, decisions: [approve(only(pending, 1))] }));
    const end = await agent.run({ pending: half, decisions: [approve(only(half))] });
    expect(end).toMatchObject({ text: "all done" });
    expect(did.sort()).toEqual(["A charged", "A shipped", "B charged", "B shipped"]);
  });

  it("one waits, and the other ends later", async () => {
    const rounds = (name: string): readonly Said[] =>
      name === "A"
        ? [[call("1", "charge")], [call("2", "ship")], "done"]
        : [...Array(8).fill([call("1", "charge")]), "done"];
    const { agent, did } = branches(["A", "B"], [asksBoth, "all done"], rounds);
    const pending = await suspended(agent.run("go"));
    expect(pending.calls.map(({ id }) => id)).toEqual(["x/2"]);
    expect(await agent.run({ pending, decisions: [approve(only(pending))] })).toMatchObject({ text: "all done" });
    expect(did.filter((each) => each.startsWith("A"))).toEqual(["A charged", "A shipped"]);
    expect(did.filter((each) => each.startsWith("B"))).toHaveLength(8);
  });
});

describe("a sub-agent that waits", () => {
  const rounds = () => [[call("1", "charge")], [call("2", "ship")], "done"];
  const asks = (id = "x") => [call(id, "A", { prompt: "?" })];

  it.each(["__proto__", "constructor", "toString"])("may be called with the id %s", async (id) => {
    const { agent, did } = branches(["A"], [asks(id), "all done"], rounds);
    const pending = await suspended(agent.run("go"));
    expect(await agent.run({ pending, decisions: [approve(only(pending))] })).toMatchObject({ text: "all done" });
    expect(did).toEqual(["A charged", "A shipped"]);
  });

  it("takes keys, store and time from the agent whose tool it is: it goes on in another process", async () => {
    const claims: string[] = [];
    const store = { claim: async (id: string) => claims.push(id) > 0 };
    const outer = { resume: { keys, store, expiresIn: 7_000_000 } };
    const first = branches(["A"], [asks()], rounds, { outer });
    const pending = await suspended(first.agent.run("go"));
    const held = (pending.durable["agent.inner"] as Record<string, PendingState>).x;
    expect(held).toMatchObject({ signature: { kid: "k" } });
    expect((held?.expiresAt ?? 0) - (held?.createdAt ?? 0)).toBe(7_000_000);
    const second = branches(["A"], ["all done"], () => ["done"], { outer });
    const end = await second.agent.run({ pending, decisions: [approve(only(pending))] });
    expect([end.status, second.did]).toEqual(["completed", ["A shipped"]]);
    expect(claims).toEqual([`resume:${pending.id}`, `resume:${held?.id}`]);
  });

  it("and cannot go on, since its key is missing, refuses the whole resume: nothing is used up", async () => {
    const other = [{ id: "k2", secret: "t".repeat(32) }];
    const outer = { resume: { keys, store: memoryResumeStore() } };
    const pending = await suspended(
      branches(["A"], [asks()], rounds, { outer, inner: { resume: { keys: other } } }).agent.run("go"),
    );
    const resumption = { pending, decisions: [approve(only(pending))] };
    const lacks = branches(["A"], ["all done"], () => ["done"], { outer });
    expect(await codeOf(lacks.agent.run(resumption))).toBe("ERR_AGENT_PENDING_SIGNATURE");
    const has = branches(["A"], ["all done"], () => ["done"], { outer, inner: { resume: { keys: other } } });
    expect(await has.agent.run(resumption)).toMatchObject({ text: "all done" });
    expect([lacks.did, has.did]).toEqual([[], ["A shipped"]]);
  });

  it("is asked for once where its call needs an approval itself", async () => {
    const helper = createAgent({
      name: "A",
      model: scripted(...rounds()),
      tools: ["charge", "ship"].map((name) =>
        defineTool({ name, needsApproval: name === "ship", execute: () => name }),
      ),
    });
    const tool = { ...helper.asTool({ description: "Helps." }), needsApproval: true };
    const agent = createAgent({ name: "outer", model: scripted(asks(), "all done"), tools: [tool] });
    const first = await suspended(agent.run("go"));
    const second = await suspended(agent.run({ pending: first, decisions: [approve(only(first))] }));
    expect(second.calls.map(({ id }) => id)).toEqual(["x/2"]);
    expect(await agent.run({ pending: second, decisions: [approve(only(second))] })).toMatchObject({
      text: "all done",
    });
  });

  it("and refuses to go on, by a layer of its own, waits for the same decisions again: none is lost", async () => {
    let refuses = false;
    const busy: Plugin = {
      name: "busy",
      async agent(_c, next) {
        if (refuses) throw new Error("busy");
        await next();
      },
      observe: (told) => void (told.type === "fault" && faults.push(told.where)),
    };
    const faults: string[] = [];
    const { agent, did } = branches(["A"], [asks(), "all done"], rounds, {
      inner: { plugins: [busy] },
      outer: { plugins: [{ name: "faults", ...(busy.observe && { observe: busy.observe }) }] },
    });
    const pending = await suspended(agent.run("go"));
    refuses = true;
    const again = await suspended(agent.run({ pending, decisions: [approve(only(pending))] }));
    expect([again.calls, did, faults]).toEqual([pending.calls, ["A charged"], ["resume of the agent that A runs"]]);
    refuses = false;
    expect(await agent.run({ pending: again, decisions: [approve(only(again))] })).toMatchObject({ text: "all done" });
    expect(did).toEqual(["A charged", "A shipped"]);
  });

  it("has failed if its model fails after the resume, and the decision is used and not requested again", async () => {
    const flaky = () => [[call("1", "charge")], [call("2", "ship")], new Error("503")];
    const { agent, did } = branches(["A"], [asks(), "all done"], flaky);
    const pending = await suspended(agent.run("go"));
    const end = await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(end).toMatchObject({ status: "completed", text: "all done" });
    expect(did).toEqual(["A charged", "A shipped"]);
  });

  it("and whose model fails after the resume continues if a layer retries its call", async () => {
    const thrice: Plugin = {
      name: "thrice",
      async tool(_c, next) {
        for (let left = 2; left > 0; left--) {
          try {
            return await next();
          } catch {}
        }
        await next();
      },
    };
    const flaky = () => [[call("1", "charge")], new Error("503"), [call("2", "ship")], new Error("503"), "done"];
    const { agent, did } = branches(["A"], [asks(), "all done"], flaky, { outer: { plugins: [thrice] } });
    const pending = await suspended(agent.run("go"));
    const end = await agent.run({ pending, decisions: [approve(only(pending))] });
    expect(end).toMatchObject({
      text: "all done",
      inferenceCalls: 7,
      byAgent: { subAgents: [{ runs: 1, toolCalls: 2 }] },
    });
    expect(did).toEqual(["A charged", "A shipped"]);
  });
});
