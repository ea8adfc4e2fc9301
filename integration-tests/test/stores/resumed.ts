import { expect, it } from "@jest/globals";
import { approve, createAgent, defineTool, type PendingState } from "@suite/agent";
import type { StateStore } from "@suite/core";
import { call, codeOf, only, type Said, scripted, suspended } from "../../../packages/agent/test/support.js";

/** Holds a suspended run whose state and whose claim are in one store. @param open a connection, as another process has one. */
export function describeResumed(open: () => StateStore): void {
  it("keeps a suspended run, which one of many processes resumes, once", async () => {
    const ran: unknown[] = [];
    const pay = defineTool({ name: "pay", needsApproval: true, execute: (input) => ran.push(input) && "paid" });
    const agent = (store: StateStore, ...rounds: readonly Said[]) =>
      createAgent({
        name: "support",
        model: scripted(...rounds),
        tools: [pay],
        resume: { keys: [{ id: "k", secret: "s".repeat(32) }], store },
      });
    const first = open();
    const state = await suspended(agent(first, [call("1", "pay", { eur: 5 })]).run("pay"));
    await first.compareAndSet("pending:1", undefined, state, { ttl: 60_000 });

    const resume = async () => {
      const store = open();
      const pending = (await store.get("pending:1"))?.value as PendingState;
      return codeOf(agent(store, "done").run({ pending, decisions: [approve(only(pending))] }));
    };
    const ended = await Promise.all(Array.from({ length: 8 }, resume));
    expect(ended.filter((code) => code === "did not reject")).toHaveLength(1);
    expect(ended.filter((code) => code === "ERR_AGENT_PENDING_USED")).toHaveLength(7);
    expect(ran).toEqual([{ eur: 5 }]);
  });
}
