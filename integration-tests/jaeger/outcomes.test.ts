import { hostname } from "node:os";
import { describe, expect, it } from "@jest/globals";
import { approve, cancel, type Decision, type PendingCall, type PendingState, reject, result } from "@suite/agent";
import type { ModelAnswer } from "@suite/testkit";
import { outline, plain, type Span } from "../collector/spans.js";
import { calls, done, pendingOf, turnsOf } from "./pending.js";
import { inJaeger, type Sweep, type Take } from "./shop.js";

inJaeger("Jaeger has the span of a call that did not succeed, in the trace of the turn that asked,", (shop) => {
  /** The one span of the call that waited, which is where it should be. */
  function spanIn(spans: readonly Span[]): Span {
    const { asking, compensating } = turnsOf(spans);
    const [span, ...more] = compensating;
    if (span === undefined || more.length > 0) throw new Error(`not one call: ${outline(spans).join("; ")}`);
    expect([span.traceId, span.parentSpanId]).toEqual([asking?.traceId, asking?.spanId]);
    expect(span.status?.code).toBe(2);
    return span;
  }

  async function decided(tool: string, decide: (call: PendingCall) => Decision): Promise<Span> {
    const spans = await shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls(tool)] }));
      await take({ answers: [done], input: { pending, decisions: [decide(call)] } });
    });
    return spanIn(spans);
  }

  it("that failed elsewhere", async () => {
    const { attributes } = await decided("ship", (call) => result(call, "no van", { isError: true }));
    expect(plain(attributes)).toMatchObject({ "error.type": "tool_error", "suite.tool.external": true });
  });

  it("that was cancelled", async () => {
    const { attributes } = await decided("ship", (call) => cancel(call));
    expect(plain(attributes)).toMatchObject({ "error.type": "cancelled", "suite.status": "cancelled" });
  });

  it("that a person denied: it waited here, and was not external", async () => {
    const { attributes } = await decided("refund", (call) => reject(call, "not this one", { by: "ann" }));
    expect(plain(attributes)).toMatchObject({
      "error.type": "denied",
      "suite.status": "denied",
      "suite.approval.decision": "rejected",
    });
    expect(plain(attributes)).not.toHaveProperty(["suite.tool.external"]);
  });

  describe.each<[string, (pending: PendingState, call: PendingCall, take: Take, sweep: Sweep) => Promise<void>]>([
    [
      "once a resume comes too late",
      async (pending, call, take) => {
        const decisions = [call.reason === "approval" ? approve(call) : result(call, { shipped: true })];
        const late = await take({ answers: [done], input: { pending, decisions } });
        expect(late).toMatchObject({ code: "ERR_AGENT_PENDING_EXPIRED" });
      },
    ],
    ["once a job sweeps it", async (pending, _call, _take, sweep) => expect(await sweep(pending)).toBe(true)],
  ])("that expired before anybody answered, %s,", (_, expire) => {
    async function expired(...answers: readonly ModelAnswer[]) {
      let waited: PendingState | undefined;
      const spans = await shop().conversation(async (take, sweep) => {
        const { pending, call } = pendingOf(await take({ answers, expiresIn: 1 }));
        waited = pending;
        await expire(pending, call, take, sweep);
      });
      return { spans, expiresAt: BigInt(waited?.expiresAt ?? 0) * 1_000_000n };
    }

    it("until its time was over", async () => {
      const { spans, expiresAt } = await expired(calls("ship"));
      const { attributes, endTimeUnixNano } = spanIn(spans);
      expect(plain(attributes)).toMatchObject({
        "error.type": "expired",
        "suite.status": "expired",
        "suite.tool.external": true,
        "gen_ai.tool.call.arguments": '{"order":1002}',
      });
      expect(BigInt(endTimeUnixNano)).toBe(expiresAt);
    });

    it("also where it waited for a person: the tool did not run", async () => {
      const { attributes } = spanIn((await expired(calls("refund"))).spans);
      expect(plain(attributes)).toMatchObject({ "error.type": "expired", "suite.approval.decision": "expired" });
      expect(plain(attributes)).not.toHaveProperty(["suite.tool.external"]);
    });

    it("also where a sub-agent asked, below it", async () => {
      const toCourier = { toolCalls: [{ id: "call-courier", name: "courier", arguments: { prompt: "Now." } }] };
      const { spans } = await expired(toCourier, calls("hand_over"));
      expect(outline(spans)).toEqual([
        "invoke_agent clerk",
        "  chat fake-model",
        "  execute_tool courier",
        "    invoke_agent courier",
        "      chat fake-model",
        "      execute_tool hand_over failed",
      ]);
    });
  });
});

inJaeger("A failed span is found in Jaeger", (shop) => {
  const search = (tags: Readonly<Record<string, string>>) => shop().jaeger.search("shop", tags);

  it("by its error.type, as the guide says, and by no tag that it does not have", async () => {
    const failed = await shop().conversation((take) => take({ answers: [{ fault: { status: 400, message: "no" } }] }));
    await shop().conversation((take) => take({ answers: [done] }));
    const [span] = failed.filter(({ name }) => name.startsWith("chat "));
    const type = String(plain(span?.attributes)["error.type"]);
    expect(await search({ "error.type": type })).toEqual([span?.traceId]);
    expect([await search({ error: "true" }), await search({ "otel.status_code": "ERROR" })]).toEqual([[], []]);
  });

  it("and says which process and machine it is of", async () => {
    const [trace = ""] = await shop().traces((take) => take({ answers: [done] }));
    const { resourceSpans } = JSON.parse(trace) as { resourceSpans: { resource: Pick<Span, "attributes"> }[] };
    expect(plain(resourceSpans[0]?.resource.attributes)).toMatchObject({
      "service.name": "shop",
      "service.instance.id": expect.any(String),
      "host.name": hostname(),
      "process.pid": expect.any(Number),
    });
  });
});
