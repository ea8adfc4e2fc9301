import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, type Decision, defineTool, type ResumeStore, reject, respond } from "@suite/agent";
import { fileResumeStore } from "@suite/agent/node";
import { memoryStateStore } from "@suite/kit/store";
import { call, codeOf, only, type Said, scripted, suspended } from "./support.js";

const keys = [{ id: "k", secret: "s".repeat(32) }];

/** An agent as each of several processes has it; what its tool does is seen in one place. */
function processes(ran: unknown[], stores: () => ResumeStore) {
  const pay = defineTool({ name: "pay", needsApproval: true, execute: (input) => ran.push(input) && "paid" });
  const agent = (...rounds: readonly Said[]) =>
    createAgent({ name: "a", model: scripted(...rounds), tools: [pay], resume: { keys, store: stores() } });
  return { agent, first: () => suspended(agent([call("1", "pay", { eur: 5 })]).run("pay")) };
}

const shared = memoryStateStore();
const dir = mkdtemp(join(tmpdir(), "suite-resume-"));
const stores: readonly [string, () => ResumeStore][] = [
  ["a StateStore", () => shared],
  [
    "files of one machine, each process with a store of its own",
    () => ({ claim: async (key, expiry) => fileResumeStore(await dir).claim(key, expiry) }),
  ],
];

describe.each(stores)("processes that share %s", (_, store) => {
  it("take one decision, once, however many come at the same time", async () => {
    const ran: unknown[] = [];
    const { agent, first } = processes(ran, store);
    const pending = await first();
    const decisions: readonly Decision[] = [
      approve(only(pending)),
      reject(only(pending)),
      approve(only(pending), { arguments: { eur: 9 } }),
      respond(only(pending), "by hand"),
      approve(only(pending)),
    ];
    const codes = await Promise.all(
      decisions.map((decision) => codeOf(agent("ok").run({ pending, decisions: [decision] }))),
    );
    expect(codes.filter((code) => code === "did not reject")).toHaveLength(1);
    expect(codes.filter((code) => code === "ERR_AGENT_PENDING_USED")).toHaveLength(4);
    expect(ran.length).toBeLessThanOrEqual(1);
  });

  it("take a later state of the same run once, too", async () => {
    const ran: unknown[] = [];
    const { agent, first } = processes(ran, store);
    const pending = await first();
    const decided = { pending, decisions: [approve(only(pending))] };
    const second = await suspended(agent([call("2", "pay", { eur: 6 })]).run(decided));
    const again = { pending: second, decisions: [approve(only(second))] };
    const codes = await Promise.all([agent("ok"), agent("ok")].map((each) => codeOf(each.run(again))));
    expect(codes.sort()).toEqual(["ERR_AGENT_PENDING_USED", "did not reject"]);
    expect(ran).toEqual([{ eur: 5 }, { eur: 6 }]);
  });
});

it("runs nothing where the store cannot be reached, and leaves the state as it is", async () => {
  const ran: unknown[] = [];
  let down = true;
  const store: ResumeStore = {
    claim: (key, expiry) => (down ? Promise.reject(new Error("no connection")) : shared.claim(key, expiry)),
  };
  const { agent, first } = processes(ran, () => store);
  const pending = await first();
  const decided = { pending, decisions: [approve(only(pending))] };
  await expect(agent("ok").run(decided)).rejects.toThrow("no connection");
  expect(ran).toEqual([]);
  down = false;
  expect(await agent("ok").run(decided)).toMatchObject({ text: "ok" });
});

it("keeps a claim for a week and a day behind the state's expiry, under a key of its own", async () => {
  const claims: unknown[] = [];
  const store: ResumeStore = { claim: (key, expiry) => claims.push([key, expiry?.ttl]) > 0 };
  const { agent, first } = processes([], () => store);
  const pending = await first();
  await agent("ok").run({ pending, decisions: [approve(only(pending))] });
  const [[key, ttl]] = claims as [[string, number]];
  expect([key, claims.length, Number.isSafeInteger(ttl)]).toEqual([`resume:${pending.id}`, 1, true]);
  const days = ttl / (24 * 60 * 60 * 1000);
  expect(days).toBeGreaterThan(8.9);
  expect(days).toBeLessThanOrEqual(9);
});
