import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import { type AuditRecord, audit, fileSink, verify } from "@suite/audit";
import type { Plugin } from "@suite/core";
import type { MemoryRecord } from "@suite/core/contract";
import { inProcessMemory, type MemoryStore, memory } from "@suite/memory";
import { planted } from "../../../../integration-tests/planted.mjs";
import { found, text, watched } from "../../../../integration-tests/watched.js";
import { call, only, type Said, scripted, suspended } from "../../../agent/test/support.js";

const dir = mkdtempSync(join(tmpdir(), "memory-"));
afterAll(() => rmSync(dir, { recursive: true }));

/** A store that can be looked into. */
function openStore() {
  const told: (string | readonly MemoryRecord[])[] = [];
  const inner = inProcessMemory();
  const store: MemoryStore = {
    ...inner,
    search(scope, query, limit, asked) {
      told.push(query);
      return inner.search(scope, query, limit, asked);
    },
    add(scope, records, asked) {
      told.push(records);
      return inner.add(scope, records, asked);
    },
  };
  return { store, told };
}

const agentOf = (plugins: readonly Plugin[], ...rounds: readonly Said[]) => {
  const model = scripted(...rounds);
  return { model, agent: createAgent({ name: "outer", model, plugins }) };
};

describe("a memory in @suite/agent", () => {
  it("has spans below the agent's, also of what is kept when the run is over", async () => {
    const { plugins, tree, written } = watched();
    const remembering = memory({ store: inProcessMemory() });
    const { agent } = agentOf([...plugins, remembering], "Noted.");
    await agent.run("I like tea.", { userId: "ada" });
    await agent.close(); // waits for what is kept
    expect(tree()).toEqual(["invoke_agent outer", "  search_memory", "  chat scripted-1", "  create_memory"]);
    await written();
  });

  it("adds recalled memories to the request, but not to the history of the result", async () => {
    const remembering = memory({ store: inProcessMemory() });
    const { agent, model } = agentOf([remembering], "Noted.", "Tea.", "Tea, as I said.");
    await agent.run("I like tea.", { userId: "ada" });
    await remembering.settled();
    const { messages } = await agent.run("What tea do I like?", { userId: "ada" });
    expect(JSON.stringify(model.asked[1]?.messages)).toContain("Noted.");
    expect(JSON.stringify(messages)).not.toContain("Noted.");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("stores the final answer of a run resumed in another process, and honors forgetUser in the meantime", async () => {
    for (const forgets of [false, true]) {
      const store = inProcessMemory();
      const keys = [{ id: "k", secret: "s".repeat(32) }];
      const process = (...rounds: readonly Said[]) => {
        const remembering = memory({ store });
        const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
        const options = { name: "outer", tools: [pay], plugins: [remembering], resume: { keys } };
        return { remembering, agent: createAgent({ ...options, model: scripted(...rounds) }) };
      };
      const first = process([call("1", "pay")]);
      const pending = await suspended(first.agent.run("Pay for my tea.", { userId: "ada" }));
      await first.agent.close();
      if (forgets) await first.remembering.forget("ada");
      const second = process("It is paid.");
      await second.agent.run({ pending, decisions: [approve(only(pending))] });
      await second.agent.close();
      expect((await first.remembering.forget("ada")).count).toBe(forgets ? 0 : 1);
    }
  });

  it("forgets a user with a proof: signed records of who was forgotten, where, and how much", async () => {
    const auditing = audit({ sink: fileSink({ dir }), warn: () => {} });
    const remembering = memory({ store: inProcessMemory() });
    const { agent } = agentOf([remembering], "Noted.", "Noted.");
    for (const _ of [1, 2]) await agent.run("I like tea.", { userId: "ada" });
    const { runId, count } = await remembering.forget("ada", { plugins: [auditing] });
    await auditing.close?.();
    expect(count).toBe(2);
    const lines = readdirSync(dir)
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(dir, name), "utf8").split("\n").filter(Boolean));
    const records = lines.map((line) => JSON.parse(line) as AuditRecord);
    const told = records.filter((each) => each.runId === runId && each.type !== "policy");
    expect(told).toMatchObject([
      {
        type: "memory",
        stage: "intent",
        operation: "delete_memory",
        target: { name: "memory" },
        actor: { onBehalfOf: "ada" },
      },
      { type: "decision", decision: "forgotten", details: { facts: { records: 2 } } },
      { type: "memory", stage: "outcome", outcome: { status: "completed" } },
    ]);
    expect((await verify(dir)).ok).toBe(true);
    expect(lines.join()).not.toContain("tea");
  });
});

describe("personal data of ten kinds and a memory", () => {
  it("has ten kinds", () => {
    expect(Object.keys(planted)).toHaveLength(10);
    expect(found(text)).toHaveLength(10);
  });

  const add = [call("1", "add_memory", { content: [text] }), call("2", "search_memory", { query: text })];
  describe.each([0, 1, 2, 3, 4, 5])("with guard, tracing and audit in order %i", (order) => {
    it.each([
      ["before them, plain", true, false],
      ["before them, streamed", true, true],
      ["after them, plain", false, false],
      ["after them, streamed", false, true],
    ] as const)("none of it is kept, searched for, traced or recorded, %s", async (_, before, streams) => {
      const { plugins, written } = watched({ order });
      const { store, told } = openStore();
      const remembering = memory({ store, mode: "both", remember: ({ question, answer }) => [question, answer] });
      const { agent } = agentOf(
        before ? [remembering, ...plugins] : [...plugins, remembering],
        add,
        text,
        `You told me: ${text}`,
      );
      for (const question of [text, `Again: ${text}`]) {
        if (streams) for await (const _ of agent.stream(question, { userId: "ada" }).text()) void _;
        else await agent.run(question, { userId: "ada" });
        await remembering.settled();
      }
      const forgotten = await remembering.forget("ada", { plugins });
      expect(forgotten.count).toBe(5);
      expect(told).toHaveLength(6);
      expect(found([told, await written()])).toEqual([]);
    });
  });

  it("stands in the store where there is no guard", async () => {
    const { store, told } = openStore();
    const { agent } = agentOf([memory({ store })], text);
    await agent.run(text, { userId: "ada" });
    await agent.close();
    expect(found(told)).toHaveLength(10);
  });
});
