import { beforeAll, describe, expect, it } from "@jest/globals";
import { type PendingCall, result } from "@suite/agent";
import { outline, plain, type Span } from "../collector/spans.js";
import { calls, done, linksOf, pendingOf, turnsOf } from "./pending.js";
import { inJaeger } from "./shop.js";

const nanoseconds = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000_000n;

inJaeger("Jaeger has the span of a call that ran elsewhere", (shop) => {
  describe.each([
    ["whole", false],
    ["streamed", true],
  ])("asked and resumed by two processes, %s,", (_, stream) => {
    let spans: readonly Span[];
    let call: PendingCall;
    let resumedAt: number;

    beforeAll(async () => {
      spans = await shop().conversation(async (take) => {
        const asked = pendingOf(await take({ answers: [calls("ship")], stream }));
        call = asked.call;
        resumedAt = Date.now();
        const decisions = [result(call, { shipped: true })];
        await take({ answers: [done], input: { pending: asked.pending, decisions }, stream });
      });
    });
    const turns = () => {
      const { asking, resuming, compensating } = turnsOf(spans);
      const [span, ...more] = compensating;
      if (asking === undefined || resuming === undefined || span === undefined || more.length > 0) {
        throw new Error(`not two turns and one call: ${outline(spans).join("; ")}`);
      }
      return { asking, resuming, span };
    };

    it("in the trace of the turn that asked, as a child of that turn's span", () => {
      const { asking, resuming, span } = turns();
      const trace = spans.filter(({ traceId }) => traceId === asking.traceId);
      expect(outline(trace)).toEqual(["invoke_agent clerk", "  chat fake-model", "  execute_tool ship"]);
      expect(span.parentSpanId).toBe(asking.spanId);
      expect(resuming.traceId).not.toBe(asking.traceId);
    });

    it("linked with the turn that resumed, which is linked with the one that asked", () => {
      const { asking, resuming, span } = turns();
      const { traceId, spanId } = resuming;
      expect(linksOf(span)).toEqual([{ traceId, spanId, "suite.link": "resumed_by" }]);
      expect(linksOf(resuming)).toEqual([{ traceId: asking.traceId, spanId: asking.spanId, "suite.link": "resumes" }]);
    });

    it("from when it was handed out until its result was back", () => {
      const { asking, resuming, span } = turns();
      expect(BigInt(span.startTimeUnixNano)).toBe(nanoseconds(call.handedOutAt));
      expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(asking.startTimeUnixNano));
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(nanoseconds(resumedAt));
      expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(resuming.endTimeUnixNano));
    });

    it("with its arguments and its result, as that of an external tool that did not fail", () => {
      const { span } = turns();
      expect(span.kind).toBe(1);
      expect(span.status?.code).toBeUndefined();
      expect(plain(span.attributes)).toMatchObject({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "ship",
        "gen_ai.tool.call.id": "call-ship",
        "gen_ai.tool.call.arguments": '{"order":1002}',
        "gen_ai.tool.call.result": '{"shipped":true}',
        "gen_ai.agent.name": "clerk",
        "suite.tool.external": true,
      });
    });
  });

  it("during its run time, if the result contains it", async () => {
    let times = { startedAt: 0, endedAt: 0 };
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")] }));
      times = { startedAt: call.handedOutAt + 1, endedAt: call.handedOutAt + 2 };
      await take({ answers: [done], input: { pending, decisions: [result(call, { shipped: true }, times)] } });
    });
    const [span] = turnsOf(spans).compensating;
    expect(BigInt(span?.startTimeUnixNano ?? 0)).toBe(nanoseconds(times.startedAt));
    expect(BigInt(span?.endTimeUnixNano ?? 0)).toBe(nanoseconds(times.endedAt));
  });

  it("below the sub-agent, where a sub-agent asked", async () => {
    const spans = await shop().conversation(async (take) => {
      const toCourier = { toolCalls: [{ id: "call-courier", name: "courier", arguments: { prompt: "Now." } }] };
      const { pending, call } = pendingOf(await take({ answers: [toCourier, calls("hand_over")] }));
      await take({ answers: [done, done], input: { pending, decisions: [result(call, { handed: true })] } });
    });
    const asked = spans.find(({ name, links }) => name === "invoke_agent clerk" && links === undefined);
    expect(outline(spans.filter(({ traceId }) => traceId === asked?.traceId))).toEqual([
      "invoke_agent clerk",
      "  chat fake-model",
      "  execute_tool courier",
      "    invoke_agent courier",
      "      chat fake-model",
      "      execute_tool hand_over",
    ]);
  });
});
