import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { type PendingCall, result } from "@suite/agent";
import type { Span } from "../collector/spans.js";
import { calls, done, pendingOf, turnsOf } from "./pending.js";
import { inJaeger } from "./shop.js";

const shipped = (call: PendingCall) => result(call, { shipped: true });
const idsOf = (spans: readonly Span[]) => new Set(spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));

inJaeger("Jaeger has one span of a call whose result comes twice", (shop) => {
  it("in one resume, which is refused, and then in a good one", async () => {
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")] }));
      const both = { pending, decisions: [shipped(call), shipped(call)] };
      expect(await take({ answers: [done], input: both })).toMatchObject({ code: "ERR_AGENT_DECISION_MISMATCH" });
      await take({ answers: [done], input: { pending, decisions: [shipped(call)] } });
    });
    expect(turnsOf(spans).compensating).toHaveLength(1);
  });

  it("from two processes that share a store: the second is refused", async () => {
    const store = join(shop().folder, "store");
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")], store }));
      const resume = { answers: [done], input: { pending, decisions: [shipped(call)] }, store };
      expect(await take(resume)).toMatchObject({ status: "completed" });
      expect(await take(resume)).toMatchObject({ code: "ERR_AGENT_PENDING_USED" });
    });
    expect(turnsOf(spans).compensating).toHaveLength(1);
  });

  it("from two processes that share none: both emit it under one id", async () => {
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")] }));
      const resume = { answers: [done], input: { pending, decisions: [shipped(call)] } };
      expect(await take(resume)).toMatchObject({ status: "completed" });
      expect(await take(resume)).toMatchObject({ status: "completed" });
    });
    const { compensating } = turnsOf(spans);
    expect(idsOf(compensating).size).toBe(1);
    expect(compensating.map(({ name }) => name)).toContain("execute_tool ship");
    expect(spans.filter(({ name }) => name === "invoke_agent clerk")).toHaveLength(3);
  });

  it("or that expired, however often it is swept and resumed too late", async () => {
    const store = join(shop().folder, "swept");
    const spans = await shop().conversation(async (take, sweep) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")], expiresIn: 1, store }));
      expect([await sweep(pending, { store }), await sweep(pending, { store })]).toEqual([true, false]);
      const late = await take({ answers: [done], input: { pending, decisions: [shipped(call)] }, store });
      expect(late).toMatchObject({ code: "ERR_AGENT_PENDING_EXPIRED" });
    });
    expect(turnsOf(spans).compensating).toHaveLength(1);
  });
});
