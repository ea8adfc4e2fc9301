import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { runs } from "../../../scripts/runs.mjs";
import { conversationOf } from "../src/run/conversation.js";
import { mergeRuns } from "../src/run/merge.js";
import { type Run, runOf } from "../src/run/run.js";
import type { Span } from "../src/run/span.js";
import { rowsOf } from "../src/run/tree.js";
import { SpanStore } from "../src/store/spans.js";
import { span } from "./support.js";

const chat = (more: Partial<Span> = {}): Span =>
  span({
    name: "chat gpt-5",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.response.model": "gpt-5",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 2,
    },
    ...more,
  });

describe("a store of spans", () => {
  it("keeps at most so many: the runs that changed longest ago make room, whole", () => {
    const store = new SpanStore({ spans: 4, bytes: 1e6 });
    const [a, b, c] = [span(), span(), span()];
    store.add([a, span({ traceId: a.traceId })]);
    store.add([b]);
    store.add([span({ traceId: a.traceId })]);
    store.add([c]);
    expect(store.size).toEqual({ spans: 4, runs: 2, dropped: 1 });
    expect(store.spans(b.traceId)).toBeUndefined();
    expect(store.spans(a.traceId)).toHaveLength(3);
  });

  it("shortens a run that is larger than all of it, and never holds more", () => {
    const store = new SpanStore({ spans: 10, bytes: 1e6 });
    const { traceId } = span();
    for (let n = 0; n < 30; n++) store.add([span({ traceId })]);
    expect(store.size).toEqual({ spans: 10, runs: 1, dropped: 20 });
  });

  it("keeps at most so many bytes, as they came", () => {
    const store = new SpanStore({ spans: 1000, bytes: 1000 });
    const { traceId } = span();
    for (let n = 0; n < 30; n++) store.add([span()], 300);
    expect(store.size).toMatchObject({ spans: 3, dropped: 27 });
    for (let n = 0; n < 30; n++) store.add([span({ traceId }), span({ traceId })], 300);
    expect(store.size).toMatchObject({ spans: 6, runs: 1 });
  });

  it("searches through a bounded part of a run, in one string that is never too long", () => {
    const store = new SpanStore({ spans: 100, bytes: 1e12 });
    const { traceId } = span();
    const blob = "x".repeat(16 * 1024 * 1024);
    const numbered = (n: number) => span({ traceId, name: `word-${n}`, attributes: { blob: `${blob} tail-${n}` } });
    store.add(Array.from({ length: 6 }, (_, n) => numbered(n)));
    const found = (word: string): number => store.search(word, 1).length;
    expect(["word-0", "tail-2", "word-3"].map(found)).toEqual([1, 1, 1]);
    expect(["tail-3", "word-4", "word-5"].map(found)).toEqual([0, 0, 0]);
  });

  it("gives summaries with bounded names and lists", () => {
    const long = "n".repeat(2000);
    const call = (n: number) =>
      chat({
        resource: { "service.name": long },
        attributes: {
          ...{ "gen_ai.operation.name": "chat", "gen_ai.response.model": `${n} ${long}`, "gen_ai.agent.name": long },
          ...{ "gen_ai.conversation.id": long, "user.id": long },
        },
      });
    const { name, service, sessionId, userId, models } = runOf(
      "t",
      Array.from({ length: 80 }, (_, n) => call(n)),
    );
    expect([name, service, sessionId, userId].map((each) => each?.length)).toEqual([512, 512, 512, 512]);
    expect([models.length, Math.max(...models.map(({ length }) => length))]).toEqual([50, 512]);
  });

  it("joins no more than 200 traces to one run, whatever they have in common", () => {
    const store = new SpanStore({ spans: 1000, bytes: 1e9 });
    store.add(Array.from({ length: 300 }, () => span({ attributes: { "suite.run.id": "one" } })));
    const sizes = store.runs(500).map(({ traces }) => traces?.length ?? 1);
    expect([Math.max(...sizes), sizes.reduce((sum, size) => sum + size, 0)]).toEqual([200, 300]);
  });

  it("joins no more than 200 traces that lead to each other one by one", () => {
    const store = new SpanStore({ spans: 1000, bytes: 1e9 });
    const chain = Array.from({ length: 300 }, () => span());
    const linked = chain.map((each, n) => ({
      ...each,
      links: [{ traceId: chain[n - 1]?.traceId ?? "", spanId: "b", attributes: { "suite.link": "resumes" } }],
    }));
    store.add(linked);
    expect(store.runs(1)[0]?.traces?.length).toBe(200);
  });

  it("gives no more runs than were asked for", () => {
    const store = new SpanStore({ spans: 100, bytes: 1e6 });
    for (let n = 0; n < 30; n++) store.add([span()]);
    expect([store.runs(5).length, store.search("support", 7).length]).toEqual([5, 7]);
  });

  it("takes a span that comes again as the same one", () => {
    const store = new SpanStore({ spans: 10, bytes: 1e6 });
    const one = span();
    store.add([one]);
    store.add([{ ...one, status: "error" }]);
    expect(store.size.spans).toBe(1);
    expect(store.runs(10)).toMatchObject([{ spans: 1, errors: 1 }]);
  });

  it("returns the runs that changed since a change, and reports each change", () => {
    const store = new SpanStore({ spans: 10, bytes: 1e6 });
    let told = 0;
    const stop = store.onChange(() => told++);
    store.add([span()]);
    const before = store.changes;
    const later = span();
    store.add([later]);
    expect(store.runs(10, before).map(({ traceId }) => traceId)).toEqual([later.traceId]);
    stop();
    store.add([span()]);
    expect(told).toBe(2);
  });

  it("finds runs by words anywhere in them, whatever their case, and all of them", () => {
    const store = new SpanStore({ spans: 10, bytes: 1e6 });
    const found = span({ attributes: { "gen_ai.input.messages": '[{"content":"Where is Order 1001?"}]' } });
    store.add([found, span()]);
    expect(store.search("order 1001", 10).map(({ traceId }) => traceId)).toEqual([found.traceId]);
    expect(store.search("order 1002", 10)).toEqual([]);
    expect(store.search(" ", 10)).toHaveLength(2);
  });
});

describe("the summary of a run", () => {
  it("has the agent, tokens of its model calls, errors, decisions, session, user and service", () => {
    const root = span({
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "support",
        "gen_ai.conversation.id": "T-1",
        "gen_ai.usage.input_tokens": 20,
        "user.id": "u-1",
      },
      resource: { "service.name": "desk" },
    });
    const { traceId, spanId: parentSpanId } = root;
    const guarded = { name: "gen_ai.guardrail.decision", time: 0, attributes: {} };
    const spans = [
      chat({ traceId, parentSpanId, start: root.start + 10 }),
      chat({ traceId, parentSpanId, start: root.start + 20, status: "error", events: [guarded], end: root.end + 50 }),
      root,
    ];
    expect(runOf(traceId, spans)).toEqual({
      traceId,
      name: "support",
      service: "desk",
      sessionId: "T-1",
      userId: "u-1",
      models: ["gpt-5"],
      start: root.start,
      end: root.end + 50,
      spans: 3,
      errors: 1,
      inputTokens: 20,
      outputTokens: 4,
      decisions: 1,
      state: "ended",
    });
  });

  it("is open until its root has come, and failed where that failed", () => {
    const { traceId } = span();
    const inner = chat({ traceId, parentSpanId: "00000000000000aa" });
    expect(runOf(traceId, [inner]).state).toBe("open");
    const root = span({ traceId, spanId: "00000000000000aa", status: "error" });
    expect(runOf(traceId, [inner, root]).state).toBe("failed");
  });
});

describe("a list of runs", () => {
  const of = (traceId: string, start: number, end: number, spans = 1): Run => ({
    ...runOf(traceId, [span({ traceId, start, end })]),
    spans,
  });

  it("has a run that changed in the place of what it was, the newest first, and no more than it takes", () => {
    const before = [of("b", 20, 25), of("a", 10, 15)];
    const merged = mergeRuns(before, [of("a", 10, 40, 2), of("c", 30, 35)], 2);
    expect(merged.map(({ traceId, spans }) => [traceId, spans])).toEqual([
      ["c", 1],
      ["a", 2],
    ]);
  });
});

describe("the tree of a run", () => {
  it("has each span once, parents before children, whatever points to what", () => {
    const id = fc.integer({ min: 1, max: 12 }).map((n) => n.toString(16).padStart(16, "0"));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(id, fc.option(id), fc.nat(50)), { selector: ([spanId]) => spanId }),
        (all) => {
          const spans = all.map(([spanId, parent, start]) =>
            span({ traceId: "t", spanId, start, ...(parent !== null && { parentSpanId: parent }) }),
          );
          const rows = rowsOf(spans);
          expect(rows.map((row) => row.span.spanId).sort()).toEqual(spans.map(({ spanId }) => spanId).sort());
          for (const [at, { span: each, depth }] of rows.entries()) {
            if (depth === 0) continue;
            const above = rows.slice(0, at).findLast((row) => row.depth === depth - 1);
            expect(above?.span.spanId).toBe(each.parentSpanId);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("of a chain of ten thousand is no deeper than the stack", () => {
    const spans = Array.from({ length: 10_000 }, (_, n) =>
      span({ traceId: "t", spanId: `${n}`, parentSpanId: `${n - 1}`, start: n }),
    );
    expect(rowsOf(spans)).toHaveLength(10_000);
  });
});

describe("the conversation of a run", () => {
  const messages = (...said: readonly string[]) =>
    JSON.stringify(said.map((content) => ({ role: "user", parts: [{ type: "text", content }] })));

  it("is that of the model call that was given most", () => {
    const { traceId } = span();
    const first = chat({
      traceId,
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.input.messages": messages("a") },
    });
    const last = chat({
      traceId,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.system_instructions": '[{"type":"text","content":"Be brief."}]',
        "gen_ai.input.messages": messages("a", "b"),
        "gen_ai.output.messages": messages("c"),
      },
    });
    expect(conversationOf([first, last]).map(({ role, parts }) => [role, parts[0]?.content])).toEqual([
      ["system", "Be brief."],
      ["user", "a"],
      ["user", "b"],
      ["user", "c"],
    ]);
  });

  it.each(["", "{", "[1,null]", '[{"role":1,"parts":2}]', '{"a":1}'])("of %j is nothing that breaks", (text) => {
    const attributes = { "gen_ai.operation.name": "chat", "gen_ai.input.messages": text, "gen_ai.output.messages": 3 };
    expect(() => conversationOf([chat({ attributes })])).not.toThrow();
  });
});
