import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { approvals, humanInTheLoop } from "@suite/approval";
import { audit, ed25519Signer, fileSink, fileSubjectKeys, generatePrivateKey, verify } from "@suite/audit";
import type { StateStore } from "@suite/core";
import { forgetUser } from "@suite/core/forget";
import { memoryStateStore } from "@suite/kit/store";
import { costBudget } from "@suite/limits";
import { conversations, inProcessMemory, memory } from "@suite/memory";
import { pii } from "@suite/pii";
import { storeVault } from "@suite/pii/node";
import { scriptedModel } from "@suite/testkit";

const folder = mkdtempSync(join(tmpdir(), "forget-"));
afterAll(() => rmSync(folder, { recursive: true }));
const key = Buffer.alloc(32, 7);

/** A store whose entries can be looked at. */
function openStore() {
  const store = memoryStateStore();
  const names = new Set<string>();
  const noting: StateStore = {
    ...store,
    compareAndSet(name, ...rest) {
      names.add(name);
      return store.compareAndSet(name, ...rest);
    },
    add(name, ...rest) {
      names.add(name);
      return store.add(name, ...rest);
    },
  };
  const read = async (name: string): Promise<unknown> => {
    try {
      return await store.get(name);
    } catch {
      return "a counter";
    }
  };
  const entries = async (): Promise<string> => {
    const all: unknown[] = [];
    for (const name of names) {
      const found = await read(name);
      if (found !== undefined) all.push([name, found]);
    }
    return JSON.stringify(all);
  };
  return { store: noting, entries };
}

it("forgetUser erases a user in all plugins, leaves others alone, and the log proves it without the name", async () => {
  const { store, entries } = openStore();
  const logDir = join(folder, "log");
  const subjects = fileSubjectKeys({ dir: join(folder, "subjects"), recheckMs: 0 });
  const privateKey = generatePrivateKey();
  const signer = ed25519Signer(privateKey);
  const log = audit({ sink: fileSink({ dir: logDir, signer }), subjects, policy: { content: "full" }, warn: () => {} });
  const remembering = memory({ store: inProcessMemory() });
  const history = conversations({ store });
  const price = { input: 1, output: 1, maxOutputTokens: 100 };
  const plugins = [
    log,
    history,
    remembering,
    humanInTheLoop({ pay: true }, { store }),
    costBudget({ budget: 100, tenant: ({ userId }) => userId, prices: () => price, store }),
    pii({ email: "tokenize" }, { vault: storeVault({ store, key }), apply: { telemetry: false } }),
  ];
  const pay = defineTool({ name: "pay", execute: () => "paid" });
  for (const user of ["ada", "bob"]) {
    const model = scriptedModel({ text: "Noted." }, { toolCalls: [{ id: "1", name: "pay", arguments: { to: user } }] });
    const agent = createAgent({ name: "desk", model, tools: [pay], plugins });
    const ids = { userId: user, sessionId: `chat of ${user}` };
    await agent.run(`I am ${user}, ${user}@example.com.`, ids);
    expect((await agent.run("Pay.", ids)).status).toBe("suspended");
    await remembering.settled();
  }
  expect(await entries()).toMatch(/ada/);

  const report = await forgetUser("ada", plugins, { reference: "request 17" });
  expect(report.complete).toBe(true);
  expect(report.plugins).toEqual([
    { plugin: "audit", count: 1 },
    { plugin: "conversations", count: 1 },
    { plugin: "memory", count: 1 },
    { plugin: "human-in-the-loop", count: 1 },
    { plugin: expect.stringContaining("cost-budget") },
    { plugin: "pii", count: 1 },
  ]);
  const left = await entries();
  expect(left).not.toMatch(/ada/);
  expect(left).toMatch(/bob/);
  expect((await history.messages("chat of bob", "bob")).length).toBeGreaterThan(0);
  expect(await approvals({ store }).forgetUser("bob")).toBe(1);
  // A second time there is nothing left.
  expect((await forgetUser("ada", plugins)).plugins.every(({ count }) => count === undefined || count === 0)).toBe(
    true,
  );

  await log.close();
  const lines = readdirSync(logDir).flatMap((name) => {
    const path = join(logDir, name);
    return name.endsWith(".jsonl") ? readFileSync(path, "utf8").split("\n") : [];
  });
  const proof = lines.filter((line) => line.includes(report.runId));
  expect(proof.length).toBeGreaterThan(2);
  expect(proof.join()).toContain("request 17");
  expect(proof.join()).not.toContain("ada");
  expect((await verify(logDir)).ok).toBe(true);
});
