import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import {
  type AgentOptions,
  answer,
  approve,
  askPerson,
  cancel,
  createAgent,
  defineTool,
  type PendingState,
  reject,
  result,
} from "@suite/agent";
import { fileResumeStore } from "@suite/agent/node";
import { type Notification, type Plugin, stateKey } from "@suite/core";
import { call, codeOf, only, type Said, scripted, shown, suspended } from "./support.js";

const ran: unknown[] = [];
const pay = defineTool({ name: "pay", needsApproval: true, execute: (input) => ran.push(input) && "paid" });
const elsewhere = defineTool({ name: "ship" });
const here = defineTool({ name: "look", execute: () => "found" });
const tools = [pay, elsewhere, here, askPerson()];
const keys = [{ id: "k1", secret: "0123456789abcdef0123456789abcdef" }];

function agentOf(rounds: readonly Said[], options: Partial<AgentOptions> = {}) {
  const model = scripted(...rounds);
  return { model, agent: createAgent({ name: "a", model, tools, ...options }) };
}

describe("a tool that needs approval", () => {
  it("suspends the run, and runs once it is approved", async () => {
    const first = agentOf([[call("1", "pay", { eur: 5 })]]);
    const pending = await suspended(first.agent.run("pay"));
    expect(pending.calls).toMatchObject([{ id: "1", name: "pay", arguments: { eur: 5 }, reason: "approval" }]);
    ran.length = 0;
    const second = agentOf(["done"]);
    const end = await second.agent.run({ pending, decisions: [approve(only(pending))] });
    expect(end).toMatchObject({ status: "completed", text: "done", runId: pending.runId });
    expect(ran).toEqual([{ eur: 5 }]);
    expect(shown(second.model.asked[0])).toEqual(["paid"]);
  });

  it("runs with edited arguments, which the history shows", async () => {
    const pending = await suspended(agentOf([[call("1", "pay", { eur: 5 })]]).agent.run("pay"));
    ran.length = 0;
    const { agent, model } = agentOf(["done"]);
    await agent.run({ pending, decisions: [approve(only(pending), { arguments: { eur: 4 } })] });
    expect(ran).toEqual([{ eur: 4 }]);
    expect(model.asked[0]?.messages.at(-2)?.parts).toMatchObject([{ type: "tool_call", arguments: { eur: 4 } }]);
  });

  it("does not run when it is rejected; the model is told why", async () => {
    const pending = await suspended(agentOf([[call("1", "pay", { eur: 5 })]]).agent.run("pay"));
    ran.length = 0;
    const told: Notification[] = [];
    const { agent, model } = agentOf(["ok"], { plugins: [{ name: "w", observe: (n) => void told.push(n) }] });
    await agent.run({ pending, decisions: [reject(only(pending), "too much", { by: "ann" })] });
    expect(ran).toEqual([]);
    expect(shown(model.asked[0])).toEqual(["A person refused this call of pay; it was not run. They say: too much"]);
    expect(told).toMatchObject([
      { type: "resume" },
      { type: "approval", decision: "rejected", by: "ann" },
      { type: "external_result", outcome: "denied" },
    ]);
  });

  it("counts for that call alone: a later one of the same id is asked about anew", async () => {
    const pending = await suspended(agentOf([[call("1", "pay", { eur: 5 })]]).agent.run("pay"));
    ran.length = 0;
    const { agent } = agentOf([[call("1", "pay", { eur: 5000 })]]);
    const again = await suspended(agent.run({ pending, decisions: [approve(only(pending))] }));
    expect(ran).toEqual([{ eur: 5 }]);
    expect(again.calls).toMatchObject([{ id: "1_1", arguments: { eur: 5000 } }]);
  });

  it("is not approved by a decision on another call of the same reply, also when the model repeats its id", async () => {
    const twins = [call("1", "pay", { eur: 5 }), call("1", "pay", { eur: 5000 }), call("", "pay", { eur: 1 })];
    const pending = await suspended(agentOf([twins]).agent.run("pay"));
    expect(new Set(pending.calls.map(({ id }) => id)).size).toBe(3);
    ran.length = 0;
    const rest = await suspended(agentOf([]).agent.run({ pending, decisions: [approve(only(pending))] }));
    expect(ran).toEqual([{ eur: 5 }]);
    expect(rest.calls.map(({ arguments: args }) => args)).toEqual([{ eur: 5000 }, { eur: 1 }]);
  });

  it("asks a person who is there, and does not suspend then", async () => {
    ran.length = 0;
    const { agent, model } = agentOf([[call("1", "pay", { eur: 5 }), call("2", "pay", { eur: 9 })], "done"], {
      onHumanInput: (_question, about) => (about.id === "1" ? true : { approve: false, message: "no" }),
    });
    expect(await agent.run("pay")).toMatchObject({ status: "completed" });
    expect(ran).toEqual([{ eur: 5 }]);
    expect(shown(model.asked[1])).toEqual(["paid", expect.stringContaining("They say: no")]);
  });

  it("lets a layer of humanInput answer in the person's place", async () => {
    const auto: Plugin = {
      name: "auto",
      async humanInput(c) {
        c.respond({ value: true });
      },
    };
    const { agent } = agentOf([[call("1", "pay", { eur: 5 })], "done"], { plugins: [auto] });
    expect(await agent.run("pay")).toMatchObject({ status: "completed", text: "done" });
  });
});

describe("a tool without an executor", () => {
  it("suspends the run, and is answered from elsewhere; the others ran at once", async () => {
    const pending = await suspended(agentOf([[call("1", "ship"), call("2", "look")]]).agent.run("ship"));
    expect(pending.calls).toMatchObject([{ id: "1", reason: "external" }]);
    const told: Notification[] = [];
    const { agent, model } = agentOf(["done"], { plugins: [{ name: "w", observe: (n) => void told.push(n) }] });
    await agent.run({ pending, decisions: [result(only(pending), { tracking: "T1" })] });
    expect(shown(model.asked[0])).toEqual([{ tracking: "T1" }, "found"]);
    expect(told[1]).toMatchObject({ type: "external_result", outcome: "completed", toolName: "ship" });
  });

  it("may tell when it ran", async () => {
    const pending = await suspended(agentOf([[call("1", "ship"), call("2", "ship")]]).agent.run("ship"));
    const told: Notification[] = [];
    const { agent } = agentOf(["done"], { plugins: [{ name: "w", observe: (n) => void told.push(n) }] });
    const ran = { startedAt: only(pending).handedOutAt - 5000, endedAt: Date.now() + 5000 };
    const decisions = [result(only(pending), "a", ran), result(only(pending, 1), "b")];
    await agent.run({ pending, decisions });
    expect(told[1]).toMatchObject({ type: "external_result", toolCallId: "1", ...ran });
    expect(told[2]).toMatchObject({ type: "external_result", toolCallId: "2" });
    expect(told[2]).not.toHaveProperty("startedAt");
    expect(told[2]).not.toHaveProperty("endedAt");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, null, "2026-01-01"])(
    "is not taken with a time that is none (%s); and loses nothing by it",
    async (time) => {
      const pending = await suspended(agentOf([[call("1", "ship")]]).agent.run("ship"));
      const { agent } = agentOf(["done"]);
      for (const times of [{ startedAt: time as number }, { endedAt: time as number }]) {
        const decisions = [result(only(pending), "a", times)];
        expect(await codeOf(agent.run({ pending, decisions }))).toBe("ERR_AGENT_DECISION_MISMATCH");
      }
      expect(await agent.run({ pending, decisions: [result(only(pending), "a")] })).toMatchObject({ text: "done" });
    },
  );

  it("takes some results first and the rest later", async () => {
    const pending = await suspended(agentOf([[call("1", "ship"), call("2", "ship")]]).agent.run("ship"));
    const second = await suspended(agentOf([]).agent.run({ pending, decisions: [result(only(pending, 1), "b")] }));
    expect(second.calls.map(({ id }) => id)).toEqual(["1"]);
    expect(only(second).handedOutAt).toBe(only(pending).handedOutAt);
    const { agent, model } = agentOf(["done"]);
    await agent.run({ pending: second, decisions: [result(only(second), "a")] });
    expect(shown(model.asked[0])).toEqual(["a", "b"]);
  });

  it("can be cancelled, or fail", async () => {
    const pending = await suspended(agentOf([[call("1", "ship"), call("2", "ship")]]).agent.run("ship"));
    const { agent, model } = agentOf(["done"]);
    const decisions = [cancel(only(pending)), result(only(pending, 1), "no van", { isError: true })];
    await agent.run({ pending, decisions });
    expect(model.asked[0]?.messages.at(-1)?.parts).toMatchObject([
      { id: "1", isError: true },
      { id: "2", response: "no van", isError: true },
    ]);
  });
});

describe("a question to a person", () => {
  it("suspends the run with the question, and goes on with the answer", async () => {
    const pending = await suspended(agentOf([[call("1", "ask_person", { question: "Which size?" })]]).agent.run("buy"));
    expect(only(pending)).toMatchObject({ reason: "input", question: "Which size?" });
    const { agent, model } = agentOf(["done"]);
    await agent.run({ pending, decisions: [answer(only(pending), "M")] });
    expect(shown(model.asked[0])).toEqual(["M"]);
  });
});

describe("a pending state", () => {
  const state = () => suspended(agentOf([[call("1", "pay", { eur: 5 })]], { resume: { keys } }).agent.run("pay"));
  const resumed = (pending: PendingState, decisions = [approve(only(pending))], options: Partial<AgentOptions> = {}) =>
    codeOf(agentOf(["done"], { resume: { keys }, ...options }).agent.run({ pending, decisions }));

  it("is refused when anything in it was altered, and loses nothing by it", async () => {
    const pending = await state();
    const altered = (change: (copy: Record<string, unknown>) => void) => {
      const copy = structuredClone(pending) as unknown as Record<string, unknown>;
      change(copy);
      return copy as unknown as PendingState;
    };
    const edits: ((copy: Record<string, unknown>) => void)[] = [
      (copy) => Object.assign((copy.calls as object[])[0] ?? {}, { arguments: { eur: 5000 } }),
      (copy) => Object.assign(copy, { userId: "mallory" }),
      (copy) => Object.assign(copy, { expiresAt: Date.now() + 1e12 }),
      (copy) => Object.assign(copy, { durable: { budget: 0 } }),
      (copy) => Object.assign(copy, { extra: 1 }),
    ];
    for (const edit of edits) expect(await resumed(altered(edit))).toBe("ERR_AGENT_PENDING_SIGNATURE");
    expect(await resumed(pending)).toBe("did not reject");
  });

  it("is refused a second time, also by another process that shares the store", async () => {
    const dir = await mkdtemp(join(tmpdir(), "suite-resume-"));
    const pending = await state();
    const options = () => ({ resume: { keys, store: fileResumeStore(dir) } });
    const both = await Promise.all([1, 2].map(() => resumed(pending, undefined, options())));
    expect(both.sort()).toEqual(["ERR_AGENT_PENDING_USED", "did not reject"]);
    expect(await resumed(await state())).toBe("did not reject");
  });

  it("is refused late, under another key, by another agent, for another user, and when it is no such thing", async () => {
    const late = await suspended(agentOf([[call("1", "pay")]], { resume: { keys, expiresIn: -1 } }).agent.run("pay"));
    expect(await resumed(late)).toBe("ERR_AGENT_PENDING_EXPIRED");
    const pending = await state();
    const other = [{ id: "k2", secret: "x".repeat(32) }];
    expect(await resumed(pending, undefined, { resume: { keys: other } })).toBe("ERR_AGENT_PENDING_SIGNATURE");
    expect(await resumed(pending, undefined, { name: "b" })).toBe("ERR_AGENT_PENDING_INVALID");
    const { agent } = agentOf(["done"], { resume: { keys } });
    expect(await codeOf(agent.run({ pending, decisions: [] }, { userId: "bob" }))).toBe("ERR_AGENT_PENDING_INVALID");
    for (const bad of [null, 1, "x", {}, { ...pending, calls: 1 }, { ...pending, version: 2 }]) {
      expect(await resumed(bad as PendingState, [])).toMatch(/^ERR_AGENT_PENDING_(INVALID|SIGNATURE)$/);
    }
  });

  it("is refused when it is nested too deep, before anything walks it", async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 5000; i++) deep = { deep };
    expect(await resumed({ ...(await state()), durable: { deep } })).toBe("ERR_AGENT_PENDING_INVALID");
    expect(await resumed({ ...(await state()), durable: { text: "[{".repeat(5000) } })).toBe(
      "ERR_AGENT_PENDING_SIGNATURE",
    );
  });

  it("is not used up by a resume that was aborted before it began", async () => {
    const pending = await state();
    const { agent } = agentOf(["done"], { resume: { keys } });
    const decisions = [approve(only(pending))];
    const gone = agent.run({ pending, decisions }, { signal: AbortSignal.abort(new Error("gone")) });
    await expect(gone).rejects.toThrow("gone");
    expect(await resumed(pending)).toBe("did not reject");
  });

  it("is refused when it is too large", async () => {
    expect(await resumed(await state(), undefined, { resume: { keys, maxBytes: 100 } })).toBe(
      "ERR_AGENT_PENDING_INVALID",
    );
  });

  it("takes no decision on a made-up call, on other arguments, of the wrong kind, or twice; and loses nothing by it", async () => {
    const pending = await state();
    const good = approve(only(pending));
    expect(await resumed(pending, [{ ...good, id: "zzz" }])).toBe("ERR_AGENT_DECISION_UNKNOWN_CALL");
    expect(await resumed(pending, [{ ...good, digest: "00" }])).toBe("ERR_AGENT_DECISION_MISMATCH");
    expect(await resumed(pending, [result(only(pending), "x")])).toBe("ERR_AGENT_DECISION_MISMATCH");
    expect(await resumed(pending, [good, good])).toBe("ERR_AGENT_DECISION_MISMATCH");
    expect(await resumed(pending)).toBe("did not reject");
  });

  it("carries the plugins' durable state and the usage, so that limits go on counting", async () => {
    const rounds = stateKey("rounds", () => 0, { save: (n) => n, load: Number });
    const counts: number[] = [];
    const counter: Plugin = {
      name: "counter",
      async model(c, next) {
        c.runtime.set(rounds, c.runtime.get(rounds) + 1);
        counts.push(c.runtime.get(rounds));
        await next();
      },
    };
    const pending = await suspended(agentOf([[call("1", "pay")]], { plugins: [counter] }).agent.run("pay"));
    const end = await agentOf(["done"], { plugins: [counter] }).agent.run({
      pending,
      decisions: [approve(only(pending))],
    });
    expect(counts).toEqual([1, 2]);
    expect(end.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
  });
});
