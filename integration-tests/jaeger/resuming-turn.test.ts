import { expect, it } from "@jest/globals";
import { result } from "@suite/agent";
import { outline } from "../collector/spans.js";
import { calls, done, linksOf, pendingOf, turnsOf } from "./pending.js";
import { inJaeger, type Turn } from "./shop.js";

inJaeger("Jaeger has the span of a call below the turn that resumes", (shop) => {
  const conversation = (asking: Turn, resuming: Turn) =>
    shop().conversation(async (take) => {
      const { pending, call } = pendingOf(await take({ answers: [calls("ship")], ...asking }));
      const decisions = [result(call, { shipped: true })];
      await take({ answers: [done], input: { pending, decisions }, ...resuming });
    });
  const resumed = ["invoke_agent clerk", "  chat fake-model", "  execute_tool ship"];

  it("where the turn that asked was not sampled: its trace is not there", async () => {
    const spans = await conversation({ env: { OTEL_TRACES_SAMPLER: "always_off" } }, {});
    expect(outline(spans)).toEqual(resumed);
    const [span] = turnsOf(spans).compensating;
    expect(span && linksOf(span)).toEqual([
      { traceId: expect.any(String), spanId: expect.any(String), "suite.link": "asked_by" },
    ]);
  });

  it("where it was asked longer ago than compensation.maxAge, linked with the turn that asked", async () => {
    const spans = await conversation({}, { maxAge: 1 });
    const { asking, resuming, compensating } = turnsOf(spans);
    expect(outline(spans.filter(({ traceId }) => traceId === resuming?.traceId))).toEqual(resumed);
    expect(compensating.map((span) => linksOf(span))).toEqual([
      [{ traceId: asking?.traceId, spanId: asking?.spanId, "suite.link": "asked_by" }],
    ]);
  });
});
