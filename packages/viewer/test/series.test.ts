import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { metricsOf, type RunMetrics } from "../src/run/metrics.js";
import { runOf } from "../src/run/run.js";
import { seriesOf } from "../src/run/series.js";
import { ask, requestOf, send, span, viewer } from "./support.js";

const metrics = (more: Partial<RunMetrics> = {}): RunMetrics => ({
  ...{ start: 0, duration: 10, firstChunks: [], inputTokens: 0, outputTokens: 0, cost: 0, errors: 0 },
  findings: new Map(),
  ...more,
});

describe("the figures of a run", () => {
  it("are its duration, first chunks, tokens, cost, errors, and personal data by type", () => {
    const found = (text: string) => ({
      name: "suite.guardrail",
      time: 0,
      attributes: { "suite.guardrail.findings": text },
    });
    const { traceId, spanId: parentSpanId, ...root } = span();
    const chat = (attributes: object, events: ReturnType<typeof found>[] = []) =>
      span({ traceId, parentSpanId, attributes: { "gen_ai.operation.name": "chat", ...attributes }, events });
    const spans = [
      chat({ "gen_ai.response.time_to_first_chunk": 0.25, "suite.usage.cost": 0.5, "gen_ai.usage.cost": 0.5 }, [
        found('{"email":2,"ip":1}'),
        found('{"email":1,"__proto__":1,"x":"y","z":-1}'),
        found("{"),
        found("[1]"),
      ]),
      chat({ "gen_ai.usage.cost": 0.25, "gen_ai.usage.input_tokens": 7 }),
      span({ ...root, traceId, spanId: parentSpanId, end: root.start + 80, status: "error" }),
    ];
    const run = runOf(traceId, spans);
    expect(run.cost).toBe(0.75);
    expect(metricsOf(run, spans)).toMatchObject({
      duration: 100,
      firstChunks: [250],
      inputTokens: 7,
      cost: 0.75,
      errors: 1,
    });
    expect(Object.entries(Object.fromEntries(metricsOf(run, spans).findings))).toEqual([
      ["email", 3],
      ["ip", 1],
      ["__proto__", 1],
    ]);
  });
});

describe("a series of figures", () => {
  it("has every run once, in no more than sixty steps of one length, whatever their times", () => {
    const each = fc.record({
      start: fc.integer({ min: 0, max: 4e12 }),
      inputTokens: fc.nat(1000),
      errors: fc.nat(5),
      findings: fc
        .dictionary(fc.string(), fc.integer({ min: 1, max: 9 }), { maxKeys: 12 })
        .map((all) => new Map(Object.entries(all))),
    });
    fc.assert(
      fc.property(fc.array(each, { minLength: 1 }), (all) => {
        const given = all.map((one) => metrics(one));
        const { buckets, from, to, step, types } = seriesOf(given);
        const sum = (of: (bucket: (typeof buckets)[number]) => number) =>
          buckets.reduce((total, bucket) => total + of(bucket), 0);
        expect(sum((bucket) => bucket.runs)).toBe(given.length);
        expect(sum((bucket) => bucket.inputTokens)).toBe(given.reduce((total, one) => total + one.inputTokens, 0));
        expect(sum((bucket) => bucket.findings.reduce((total, times) => total + times, 0))).toBe(
          given.reduce((total, { findings }) => total + [...findings.values()].reduce((a, b) => a + b, 0), 0),
        );
        expect(types.length).toBeLessThanOrEqual(7);
        expect(Math.round((to - from) / step)).toBeLessThanOrEqual(61);
        for (const { start } of buckets) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(start).toBeLessThan(to);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it("has percentiles by nearest rank: of what was measured, and of nothing where nothing was", () => {
    const all = Array.from({ length: 100 }, (_, n) =>
      metrics({ duration: n + 1, firstChunks: n === 0 ? [3, 1, 2] : [] }),
    );
    const { buckets } = seriesOf(all);
    expect(buckets).toMatchObject([{ runs: 100, duration: { p50: 50, p95: 95 }, firstChunk: { p50: 2, p95: 3 } }]);
    expect(seriesOf([metrics({ duration: undefined })]).buckets[0]?.duration).toBeUndefined();
    expect(seriesOf([])).toMatchObject({ buckets: [], types: [] });
  });

  it("is told by the server, of all runs or of those of the last minutes", async () => {
    const shown = await viewer();
    const now = Date.now();
    await send(shown, requestOf(span(), span({ start: now - 30_000, end: now - 29_000 })));
    const total = async (minutes: string) =>
      (
        (await (await ask(shown, `/api/plots?minutes=${minutes}`)).json()) as ReturnType<typeof seriesOf>
      ).buckets.reduce((sum, bucket) => sum + bucket.runs, 0);
    expect([await total(""), await total("15"), await total("x")]).toEqual([2, 1, 2]);
  });
});
