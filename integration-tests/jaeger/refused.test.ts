import { expect, it } from "@jest/globals";
import { type AgentInput, type PendingCall, type PendingState, result } from "@suite/agent";
import { outline } from "../collector/spans.js";
import { calls, done, pendingOf } from "./pending.js";
import { inJaeger, type Turn } from "./shop.js";

inJaeger("Jaeger has no span of a resume that was refused", (shop) => {
  const asked = ["invoke_agent clerk", "  chat fake-model"];
  const forged = "00-11111111111111111111111111111111-2222222222222222-01";
  const shipped = (call: PendingCall) => result(call, { shipped: true });

  it.each<[string, string, Turn, (pending: PendingState, call: PendingCall) => AgentInput]>([
    [
      "as the pending state names another turn than the one that asked",
      "ERR_AGENT_PENDING_SIGNATURE",
      {},
      (pending, call) => {
        const durable = { ...pending.durable, "tracing.pending": { [call.id]: { traceparent: forged } } };
        return { pending: { ...pending, durable }, decisions: [shipped(call)] };
      },
    ],
    [
      "as the pending state was altered elsewhere",
      "ERR_AGENT_PENDING_SIGNATURE",
      {},
      (pending, call) => ({ pending: { ...pending, round: 0 }, decisions: [shipped(call)] }),
    ],
    [
      "as the id of the call is made up",
      "ERR_AGENT_DECISION_UNKNOWN_CALL",
      {},
      (pending, call) => ({ pending, decisions: [shipped({ ...call, id: "call-made-up" })] }),
    ],
    [
      "as it comes too late, and the pending state was altered",
      "ERR_AGENT_PENDING_SIGNATURE",
      { expiresIn: 1 },
      (pending, call) => ({ pending: { ...pending, round: 0 }, decisions: [shipped(call)] }),
    ],
  ])("%s", async (_, code, options, input) => {
    const before = await shop().jaeger.search("shop");
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")], ...options }));
      const refused = await take({ answers: [done], input: input(pending, call) });
      expect(refused).toEqual({ status: "failed", code, message: expect.any(String) });
    });
    expect(outline(spans)).toEqual(asked);
    expect(await shop().jaeger.search("shop")).toHaveLength(before.length + 1);
  });

  it("and one when a good one follows: what was refused is not used up", async () => {
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")] }));
      const madeUp = shipped({ ...call, id: "call-made-up" });
      await take({ answers: [done], input: { pending, decisions: [shipped(call), madeUp] } });
      const second = await take({ answers: [done], input: { pending, decisions: [shipped(call)] } });
      expect(second.status).toBe("completed");
    });
    expect(outline(spans).filter((line) => line.includes("execute_tool"))).toEqual(["  execute_tool ship"]);
  });
});
