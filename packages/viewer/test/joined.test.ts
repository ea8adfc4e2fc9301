import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { mergeRuns } from "../src/run/merge.js";
import { runOf } from "../src/run/run.js";
import type { Span } from "../src/run/span.js";
import { timeScaleOf } from "../src/run/time-scale.js";
import { rowsOf } from "../src/run/tree.js";
import { SpanStore } from "../src/store/spans.js";
import { ask, requestOf, send, span, viewer } from "./support.js";

const store = () => new SpanStore({ spans: 1000, bytes: 1e9 });
const hour = 3_600_000;

/** A run that waited for an hour: two traces of the same run id. */
function suspended() {
  const of = (more: object) => ({ "gen_ai.operation.name": "invoke_agent", "suite.run.id": "r-1", ...more });
  const first = span({ attributes: of({ "suite.status": "suspended", "gen_ai.conversation.id": "T-1" }) });
  const start = first.start + hour;
  const link = { traceId: first.traceId, spanId: first.spanId, attributes: { "suite.link": "resumes" } };
  const attributes = of({ "gen_ai.agent.name": "support", "gen_ai.usage.input_tokens": 1 });
  const second = span({ start, end: start + 100, attributes, links: [link] });
  const chat = span({
    traceId: second.traceId,
    parentSpanId: second.spanId,
    start: start + 10,
    end: start + 90,
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 5, "suite.usage.cost": 0.5 },
  });
  return { first, second, chat };
}

describe("a run of several traces", () => {
  it("is one in the list, from the start of the first to the end of the last, and ended as the last", () => {
    const kept = store();
    const { first, second, chat } = suspended();
    kept.add([first]);
    expect(kept.runs(10)).toMatchObject([{ traceId: first.traceId, state: "suspended" }]);
    kept.add([chat]);
    expect(kept.size.runs).toBe(2); // nothing of it says yet whose it is
    kept.add([second]);
    expect(kept.size.runs).toBe(1);
    expect(kept.runs(10)).toEqual([
      expect.objectContaining({
        ...{ traceId: first.traceId, traces: [first.traceId, second.traceId], sessionId: "T-1", state: "ended" },
        ...{ start: first.start, end: second.end, spans: 3, inputTokens: 5, cost: 0.5 },
      }),
    ]);
    for (const { traceId } of [first, second]) expect(kept.spans(traceId)).toHaveLength(3);
  });

  it("is sent as one run if either part changed, and the old entry of its second part leaves the list", () => {
    const kept = store();
    const { first, second, chat } = suspended();
    kept.add([first]);
    kept.add([chat]);
    const before = kept.runs(10);
    const since = kept.changes;
    kept.add([second]);
    const changed = kept.runs(10, since);
    expect(changed).toHaveLength(1);
    expect(mergeRuns(before, changed, 500)).toEqual(changed);
  });

  it("is joined by links of ours, and not by others: those lead elsewhere", () => {
    const kept = store();
    const [a, b] = [span(), span()];
    const to = (attributes: object) => [{ traceId: a.traceId, spanId: a.spanId, attributes: { ...attributes } }];
    kept.add([a, b, span({ links: to({ "suite.link": "undoes" }) }), span({ links: to({ why: "batch" }) })]);
    expect(
      kept
        .runs(10)
        .map(({ spans }) => spans)
        .sort(),
    ).toEqual([1, 1, 2]);
    expect(kept.size.runs).toBe(3);
  });

  it("is split if one of its traces was evicted", () => {
    const kept = new SpanStore({ spans: 2, bytes: 1e9 });
    const { first, second } = suspended();
    kept.add([first]);
    kept.add([second]);
    kept.add([span()]);
    expect(kept.size).toMatchObject({ runs: 2, dropped: 1 });
    expect(kept.runs(10).map(({ traces }) => traces)).toEqual([undefined, undefined]);
  });

  it("remembers nothing of traces that made room", () => {
    const kept = new SpanStore({ spans: 2, bytes: 1e9 });
    for (let n = 0; n < 300; n++) kept.add([span({ attributes: { "suite.run.id": "r-1" } })]);
    expect(kept.runs(10)).toMatchObject([{ spans: 2 }]);
    expect(kept.size.runs).toBe(1);
  });

  it("of ten thousand traces that say the same is bounded", () => {
    const kept = new SpanStore({ spans: 20_000, bytes: 1e9 });
    const attributes = { "suite.run.id": "same" };
    const first = span({ attributes });
    kept.add([first, ...Array.from({ length: 10_000 }, () => span({ attributes }))]);
    expect(kept.spans(first.traceId)).toHaveLength(200);
    expect(kept.size.runs).toBe(10_001 - 199);
    expect(kept.runs(20_000)).toHaveLength(10_001 - 199);
  });

  it("is one tree, also where ids of spans stand in both traces", () => {
    const of = (traceId: string, spanId: string, parentSpanId?: string): Span =>
      span({ traceId, spanId, ...(parentSpanId !== undefined && { parentSpanId }) });
    const spans = [of("a", "1"), of("a", "2", "1"), of("b", "1"), of("b", "2", "1")];
    expect(rowsOf(spans).map((row) => [row.span.traceId, row.depth])).toEqual([
      ["a", 0],
      ["a", 1],
      ["b", 0],
      ["b", 1],
    ]);
  });

  it("has all spans of a session, for the picture of that", async () => {
    const shown = await viewer();
    const { first, second } = suspended();
    const attributes = { "gen_ai.conversation.id": "T-1" };
    await send(shown, requestOf(first, second, span({ attributes }), span()));
    const session = async (id: string) => ask(shown, `/api/sessions?id=${encodeURIComponent(id)}`);
    expect(((await (await session("T-1")).json()) as { spans: Span[] }).spans).toHaveLength(3);
    expect((await session("none")).status).toBe(404);
  });
});

describe("the scale of a waterfall", () => {
  const at = (traceId: string, start: number, end: number) => span({ traceId, start, end });

  it("draws a long wait between traces shorter, and leaves one trace as it was", () => {
    const { place, cuts, timeAt } = timeScaleOf([at("a", 0, 100), at("b", hour, hour + 100)]);
    expect(cuts).toEqual([{ from: expect.closeTo(0.47), to: expect.closeTo(0.53), took: hour - 100 }]);
    expect([place(50), place(100), place(hour), place(hour + 50)]).toEqual(
      [0.235, 0.47, 0.53, 0.765].map((value) => expect.closeTo(value)),
    );
    expect(timeAt(0.765)).toBeCloseTo(hour + 50);
    expect(timeScaleOf([at("a", 0, 100), at("a", hour, hour + 100)]).cuts).toEqual([]);
  });

  it("keeps the order of times, and leads back, whatever the spans", () => {
    const times = fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(1e9), fc.nat(1e7));
    fc.assert(
      fc.property(fc.array(times, { minLength: 1 }), (all) => {
        const spans = all.map(([traceId, start, took]) => at(traceId, start, start + took));
        const { place, timeAt, start, duration: whole } = timeScaleOf(spans);
        const ends = spans.flatMap((each) => [each.start, each.end]).sort((a, b) => a - b);
        const places = ends.map(place);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(places.every((each) => each >= 0 && each <= 1)).toBe(true);
        for (const time of ends) expect(Math.abs(timeAt(place(time)) - time)).toBeLessThan(whole * 1e-6 + 1e-3);
        expect([timeAt(0), timeAt(1)]).toEqual([start, start + whole].map((time) => expect.closeTo(time, 1)));
      }),
      { numRuns: runs(300) },
    );
  });

  it("has a summary of each trace as before", () => {
    const { first } = suspended();
    expect(runOf(first.traceId, [first]).traces).toBeUndefined();
  });
});
