import { afterEach, describe, expect, it } from "@jest/globals";
import { SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import {
  AlwaysOffSampler,
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import type { ExternalResultNotification, Pending } from "@suite/core/contract";
import fc from "fast-check";
import { intervalOf } from "../src/compensation/compensate.js";
import type { TracingOptions } from "../src/index.js";
import { compensatingIdGenerator, setupTracing } from "../src/node.js";
import { Harness, hrTimeToMs, outline, spanNamed, startSdk, stopSdk, words } from "./support.js";

afterEach(stopSdk);

const part = { type: "tool_call", id: "c1", name: "refund", arguments: { eur: 5 } } as const;
const pending: readonly Pending[] = [{ reason: "external", part }];

/** The turn that asks: what a caller would store, as JSON. */
const ask = async (options: TracingOptions = {}): Promise<Record<string, unknown>> => {
  const harness = new Harness(options);
  const run = harness.begin({ runId: "run-1" });
  const outcome = await harness.agent(run, async function* (call) {
    yield* words("one moment");
    run.notify({ type: "suspension", call, pending });
    return { suspended: pending };
  });
  await outcome.final().catch(() => {});
  const stored = JSON.stringify(run.save());
  await run.end();
  return JSON.parse(stored) as Record<string, unknown>;
};

const result = (changes: Partial<ExternalResultNotification> = {}): ExternalResultNotification => ({
  type: "external_result",
  toolCallId: "c1",
  toolName: "refund",
  arguments: { eur: 5 },
  outcome: "completed",
  response: { paid: true },
  handedOutAt: Date.now() - 42_000,
  returnedAt: Date.now() - 1000,
  ...changes,
});

/** The turn that goes on, in another process for all it knows. */
const resume = async (
  durable: Record<string, unknown>,
  results: readonly ExternalResultNotification[],
  options: TracingOptions = {},
) => {
  const harness = new Harness(options);
  const run = harness.begin({ runId: "run-1", durable });
  const answered = results.length === 0 ? "made-up" : "c1";
  const request = { messages: [], resume: [{ type: "tool_call_response", id: answered, response: {} }] } as const;
  const outcome = await harness.agent(
    run,
    async function* (call) {
      for (const each of results) run.notify({ ...each, call });
      yield* words("done");
    },
    request,
  );
  await outcome.final();
  await run.end();
};

describe("the span of a tool that ran elsewhere", () => {
  it("joins the turn that asked, also from another process, for the time between handing out and return", async () => {
    const first = startSdk();
    const durable = await ask();
    stopSdk();
    const second = startSdk();
    const told = result();
    await resume(durable, [told], { content: "full", warn: () => {} });

    const asking = spanNamed(first.getFinishedSpans(), "invoke_agent support");
    const resuming = spanNamed(second.getFinishedSpans(), "invoke_agent support");
    const span = spanNamed(second.getFinishedSpans(), "execute_tool refund");
    expect(span.spanContext().traceId).toBe(asking.spanContext().traceId);
    expect(span.parentSpanContext?.spanId).toBe(asking.spanContext().spanId);
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.startTime[0] * 1000 + span.startTime[1] / 1e6).toBeCloseTo(told.handedOutAt, 0);
    expect(span.duration[0]).toBe(41);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "refund",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.agent.name": "support",
      "gen_ai.conversation.id": "conversation-1",
      "session.id": "conversation-1",
      "gen_ai.tool.call.arguments": '{"eur":5}',
      "gen_ai.tool.call.result": '{"paid":true}',
      "suite.tool.external": true,
    });
    expect(span.links.map((link) => [link.context.spanId, link.attributes])).toEqual([
      [resuming.spanContext().spanId, { "suite.link": "resumed_by" }],
    ]);
    expect(resuming.links.map((link) => [link.context.spanId, link.attributes])).toEqual([
      [asking.spanContext().spanId, { "suite.link": "resumes" }],
    ]);
  });

  it.each([
    ["failed", "tool_error", undefined],
    ["denied", "denied", "denied"],
    ["expired", "expired", "expired"],
    ["cancelled", "cancelled", "cancelled"],
  ] as const)("records how a call that %s ended", async (outcome, type, status) => {
    const exporter = startSdk();
    await resume(await ask(), [result({ outcome })]);
    const span = spanNamed(exporter.getFinishedSpans(), "execute_tool refund");
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes["error.type"]).toBe(type);
    expect(span.attributes["suite.status"]).toBe(status);
  });

  it("is not called external where a tool of this process waited for an approval that it did not get", async () => {
    const exporter = startSdk();
    const durable = await ask();
    const stored = durable["tracing.pending"] as { c1: { reason: string } };
    expect(stored.c1.reason).toBe("external");
    stored.c1.reason = "approval";
    await resume(durable, [result({ outcome: "denied" })]);
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "execute_tool refund");
    expect(attributes).not.toHaveProperty(["suite.tool.external"]);
    expect(attributes["error.type"]).toBe("denied");
  });

  it("is one span for a result that is told twice", async () => {
    const exporter = startSdk();
    await resume(await ask(), [result(), result()]);
    expect(outline(exporter.getFinishedSpans()).sort()).toEqual([
      "execute_tool refund < invoke_agent support",
      "invoke_agent support",
      "invoke_agent support",
    ]);
  });

  it.each<[string, ExternalResultNotification, TracingOptions]>([
    ["older than an hour", result({ handedOutAt: Date.now() - 3_700_000 }), {}],
    ["older than the limit that was set", result(), { compensation: { maxAge: 1000 } }],
  ])("joins the resuming turn when the call is %s, with a link to the one that asked", async (_, told, options) => {
    const exporter = startSdk();
    await resume(await ask(), [told], options);
    const [asking, span, resuming] = exporter.getFinishedSpans();
    expect(span?.parentSpanContext?.spanId).toBe(resuming?.spanContext().spanId);
    expect(span?.links.map((link) => [link.context.spanId, link.attributes])).toEqual([
      [asking?.spanContext().spanId, { "suite.link": "asked_by" }],
    ]);
  });

  it("joins the resuming turn when the turn that asked was not sampled", async () => {
    startSdk({ sampler: new AlwaysOffSampler() });
    const durable = await ask();
    stopSdk();
    const exporter = startSdk();
    await resume(durable, [result()]);
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "execute_tool refund < invoke_agent support",
      "invoke_agent support",
    ]);
    expect(exporter.getFinishedSpans()[0]?.spanContext().traceFlags).toBe(TraceFlags.SAMPLED);
  });

  it.each<[string, unknown]>([
    ["is missing", undefined],
    ["is no object", "x"],
    ["holds no trace context", { c1: { traceparent: "00-zz-1-01" } }],
    ["holds one with flags that are none", { c1: { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-zz` } }],
    ["holds an all-zero one", { c1: { traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01` } }],
  ])("joins the resuming turn when what was stored %s", async (_, stored) => {
    const exporter = startSdk();
    await resume(stored === undefined ? {} : { "tracing.pending": stored }, [result()]);
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "execute_tool refund < invoke_agent support",
      "invoke_agent support",
    ]);
    for (const span of exporter.getFinishedSpans()) expect(span.links).toEqual([]);
  });

  describe("where no turn resumes, as when it expired,", () => {
    const swept = async (handedOutAt: number) => {
      const exporter = startSdk();
      const run = new Harness().begin({ runId: "run-1", durable: await ask() });
      run.notify({ type: "approval", toolCallId: "c1", toolName: "refund", decision: "expired" });
      run.notify(result({ outcome: "expired", handedOutAt }));
      await run.end();
      const spans = exporter.getFinishedSpans();
      const span = spanNamed(spans, "execute_tool refund");
      expect(span.attributes).toMatchObject({ "error.type": "expired", "suite.approval.decision": "expired" });
      return { span, asking: spanNamed(spans, "invoke_agent support").spanContext() };
    };

    it("joins the turn that asked", async () => {
      const { span, asking } = await swept(Date.now() - 2000);
      expect(span.parentSpanContext?.spanId).toBe(asking.spanId);
      expect(span.links).toEqual([]);
    });

    it("begins a trace of its own when the call is too old, with a link to the turn that asked", async () => {
      const { span, asking } = await swept(Date.now() - 3_700_000);
      expect(span.parentSpanContext).toBeUndefined();
      expect(span.spanContext().traceId).not.toBe(asking.traceId);
      expect(span.links.map(({ context, attributes }) => [context.spanId, attributes])).toEqual([
        [asking.spanId, { "suite.link": "asked_by" }],
      ]);
    });
  });

  const times = (span: ReadableSpan) => [span.startTime, span.endTime].map(hrTimeToMs);

  it("is for the time that its result tells", async () => {
    const exporter = startSdk();
    const told = result();
    const [startedAt, endedAt] = [told.handedOutAt + 1000, told.returnedAt - 2000];
    await resume(await ask(), [{ ...told, startedAt, endedAt }]);
    expect(times(spanNamed(exporter.getFinishedSpans(), "execute_tool refund"))).toEqual([startedAt, endedAt]);
  });

  it("ends no earlier than it starts when clocks disagree", async () => {
    const exporter = startSdk();
    await resume(await ask(), [result({ returnedAt: 0 })]);
    expect(spanNamed(exporter.getFinishedSpans(), "execute_tool refund").duration).toEqual([0, 0]);
  });

  it("does not exist for an unknown id: only validated results are recorded", async () => {
    const exporter = startSdk();
    await resume(await ask(), []);
    expect(outline(exporter.getFinishedSpans())).toEqual(["invoke_agent support", "invoke_agent support"]);
  });

  describe.each(["completed", "failed", "denied", "expired", "cancelled"] as const)(
    "of a call that was %s",
    (outcome) => {
      const resumedAfter = async (
        durable: Record<string, unknown>,
        changes: Partial<ExternalResultNotification> = {},
      ) => {
        stopSdk();
        const exporter = startSdk();
        const told = result({ outcome, ...changes });
        await resume(durable, [told, told]);
        const spans = exporter.getFinishedSpans();
        const span = spanNamed(spans, "execute_tool refund");
        expect(span.status.code).toBe(outcome === "completed" ? SpanStatusCode.UNSET : SpanStatusCode.ERROR);
        return { span, resuming: spanNamed(spans, "invoke_agent support") };
      };
      const asked = async (sampler?: Sampler) => {
        const exporter = startSdk({ ...(sampler && { sampler }) });
        const durable = await ask();
        return { durable, turn: exporter.getFinishedSpans()[0]?.spanContext().spanId };
      };

      it("joins the turn that asked, once", async () => {
        const { durable, turn } = await asked();
        const { span } = await resumedAfter(durable);
        expect(span.parentSpanContext?.spanId).toBe(turn);
      });

      it("joins the resuming turn, once, where the turn that asked was not sampled", async () => {
        const { durable } = await asked(new AlwaysOffSampler());
        const { span, resuming } = await resumedAfter(durable);
        expect(span.parentSpanContext?.spanId).toBe(resuming.spanContext().spanId);
        expect(span.links[0]?.attributes).toEqual({ "suite.link": "asked_by" });
      });

      it("joins the resuming turn, once, where it was asked too long ago", async () => {
        const { durable, turn } = await asked();
        const { span, resuming } = await resumedAfter(durable, { handedOutAt: Date.now() - 3_700_000 });
        expect(span.parentSpanContext?.spanId).toBe(resuming.spanContext().spanId);
        expect(span.links.map((link) => link.context.spanId)).toEqual([turn]);
      });

      it("joins the resuming turn, once and without a link, if the requesting turn is not authenticated", async () => {
        await asked();
        const { span, resuming } = await resumedAfter({});
        expect(span.parentSpanContext?.spanId).toBe(resuming.spanContext().spanId);
        expect(span.links).toEqual([]);
      });
    },
  );
});

describe("the time of such a span", () => {
  const between = { handedOutAt: 1000, returnedAt: 5000 };

  it.each<[string, { startedAt?: number; endedAt?: number }, [number, number]]>([
    ["nothing is told", {}, [1000, 5000]],
    ["both are told", { startedAt: 2000, endedAt: 3000 }, [2000, 3000]],
    ["the start alone is told", { startedAt: 2000 }, [2000, 5000]],
    ["the end alone is told", { endedAt: 3000 }, [1000, 3000]],
    ["it starts before it was handed out", { startedAt: 10, endedAt: 3000 }, [1000, 3000]],
    ["it ends after it returned", { startedAt: 2000, endedAt: 9000 }, [2000, 5000]],
    ["all of it is before", { startedAt: 10, endedAt: 20 }, [1000, 1000]],
    ["all of it is after", { startedAt: 8000, endedAt: 9000 }, [5000, 5000]],
    ["it ends before it starts", { startedAt: 3000, endedAt: 2000 }, [3000, 3000]],
    ["neither is a number", { startedAt: Number.NaN, endedAt: Number.NaN }, [1000, 5000]],
    ["one is infinite", { startedAt: Number.NEGATIVE_INFINITY, endedAt: 3000 }, [1000, 3000]],
  ])("where %s", (_, told, [start, end]) => {
    expect(intervalOf({ ...between, ...told })).toEqual({ start, end });
  });

  it("is within that between handing out and return, whatever is told", () => {
    const time = fc.option(fc.double(), { nil: undefined });
    fc.assert(
      fc.property(fc.nat(), fc.nat(), time, time, (handedOutAt, returnedAt, startedAt, endedAt) => {
        const told = { ...(startedAt !== undefined && { startedAt }), ...(endedAt !== undefined && { endedAt }) };
        const { start, end } = intervalOf({ handedOutAt, returnedAt, ...told });
        expect(start).toBeGreaterThanOrEqual(handedOutAt);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(Math.max(handedOutAt, returnedAt));
      }),
    );
  });
});

describe("the id of such a span", () => {
  /** The span as one process emits it. */
  const emitted = async (durable: Record<string, unknown>, toolCallId = "c1", stable = true) => {
    stopSdk();
    const exporter = startSdk(stable ? { idGenerator: compensatingIdGenerator() } : {});
    await resume(durable, [result({ toolCallId })]);
    const spans = exporter.getFinishedSpans();
    const { traceId, spanId } = spanNamed(spans, "execute_tool refund").spanContext();
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    return { id: `${traceId} ${spanId}`, other: spanNamed(spans, "invoke_agent support").spanContext().spanId };
  };
  const two = async (): Promise<Record<string, unknown>> => {
    startSdk();
    const durable = await ask();
    const stored = durable["tracing.pending"] as Record<string, unknown>;
    return { ...durable, "tracing.pending": { ...stored, c2: stored.c1 } };
  };

  it("is the same whichever process emits it again, and that of no other span", async () => {
    const durable = await two();
    const first = await emitted(durable);
    const second = await emitted(durable);
    expect(second.id).toBe(first.id);
    expect(second.other).not.toBe(first.other);
    expect((await emitted(durable, "c2")).id).not.toBe(first.id);
    expect((await emitted(await two())).id).not.toBe(first.id);
  });

  it("is random with another id generator", async () => {
    const durable = await two();
    expect((await emitted(durable, "c1", false)).id).not.toBe((await emitted(durable, "c1", false)).id);
  });

  it("is not taken by a span that something else starts meanwhile", async () => {
    const durable = await two();
    const { id } = await emitted(durable);
    stopSdk();
    const ids: string[] = [];
    const nested: SpanProcessor = {
      onStart(span) {
        ids.push(`${span.spanContext().traceId} ${span.spanContext().spanId}`);
        if (span.attributes["suite.tool.external"] === true) trace.getTracer("t").startSpan("meanwhile").end();
      },
      onEnd: () => {},
      forceFlush: async () => {},
      shutdown: async () => {},
    };
    new NodeTracerProvider({ idGenerator: compensatingIdGenerator(), spanProcessors: [nested] }).register();
    await resume(durable, [result()]);
    expect(ids.filter((each) => each === id)).toHaveLength(1);
    expect(new Set(ids.map((each) => each.split(" ")[1])).size).toBe(3);
  });

  it("is made so by setupTracing", async () => {
    const durable = await two();
    const { id } = await emitted(durable);
    stopSdk();
    const exporter = new InMemorySpanExporter();
    const telemetry = setupTracing({ processors: [new SimpleSpanProcessor(exporter)] });
    await resume(durable, [result()]);
    const { traceId, spanId } = spanNamed(exporter.getFinishedSpans(), "execute_tool refund").spanContext();
    expect(`${traceId} ${spanId}`).toBe(id);
    await telemetry.shutdown();
  });
});
