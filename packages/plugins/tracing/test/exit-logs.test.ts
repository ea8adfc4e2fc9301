import { afterEach, describe, expect, it } from "@jest/globals";
import { createTraceState, metrics, ROOT_CONTEXT, type SpanContext, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  type LogRecordExporter,
  SimpleLogRecordProcessor,
} from "@opentelemetry/sdk-logs";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { type LogExporter, redactingLogExporter, setupTracing, type TracingSetup } from "../src/node.js";
import { startReceiver } from "./receiver.js";
import { redactor, stopSdk } from "./support.js";

let telemetry: TracingSetup | undefined;
afterEach(async () => {
  await telemetry?.shutdown();
  telemetry = undefined;
  delete process.env.OTEL_RESOURCE_ATTRIBUTES;
  stopSdk();
  logs.disable();
});

const PLANTED = "ann@example.com";

/** A provider as a program has it that sends the logs of others, with one exporter in front of which things are redacted. */
const provided = (exempt: readonly string[] = []) => {
  const exporter = new InMemoryLogRecordExporter();
  const guarded: LogRecordExporter = redactingLogExporter(exporter, redactor, { exempt });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ "service.name": PLANTED, owner: PLANTED, [PLANTED]: 1 }),
    processors: [new SimpleLogRecordProcessor({ exporter: guarded })],
  });
  return { provider, records: () => exporter.getFinishedLogRecords() };
};

describe("redaction of log records at the exit", () => {
  it("takes the real exporters", () => {
    const exporter: LogExporter = new InMemoryLogRecordExporter();
    expect(exporter).toBeDefined();
  });

  it("is of everything that can hold text, however deep: body, attributes, keys, names, scope, resource", () => {
    const { provider, records } = provided(["net.peer.name"]);
    const logger = provider.getLogger("winston", "1", { attributes: { by: PLANTED } });
    logger.emit({
      eventName: `login ${PLANTED}`,
      severityText: `INFO ${PLANTED}`,
      severityNumber: 9,
      body: { message: `hello ${PLANTED}`, [PLANTED]: [PLANTED, { deep: { deeper: [`x ${PLANTED}`] } }] },
      attributes: {
        "url.full": `https://shop.test/?q=${PLANTED}`,
        [`of ${PLANTED}`]: true,
        "db.query.text": '{"where":"\\u0061nn@example.com"}',
        user: { mail: PLANTED, [PLANTED]: 1 },
        list: [PLANTED, 2, [PLANTED]],
        "net.peer.name": PLANTED,
        "gen_ai.conversation.id": PLANTED,
        bytes: new Uint8Array([1, 2]),
        nothing: null,
      },
    });
    const [record] = records();
    expect(record).toMatchObject({
      eventName: "login [EMAIL]",
      severityText: "INFO [EMAIL]",
      severityNumber: 9,
      body: { message: "hello [EMAIL]", "[EMAIL]": ["[EMAIL]", { deep: { deeper: ["x [EMAIL]"] } }] },
      instrumentationScope: { name: "winston", version: "1", attributes: { by: "[EMAIL]" } },
    });
    expect(record?.attributes).toEqual({
      "url.full": "https://shop.test/?q=[EMAIL]",
      "of [EMAIL]": true,
      "db.query.text": '{"where":"[EMAIL]"}',
      user: { mail: "[EMAIL]", "[EMAIL]": 1 },
      list: ["[EMAIL]", 2, ["[EMAIL]"]],
      "net.peer.name": PLANTED,
      "gen_ai.conversation.id": PLANTED,
      bytes: new Uint8Array([1, 2]),
      nothing: null,
    });
    expect(record?.resource.attributes).toEqual({ "service.name": PLANTED, owner: "[EMAIL]", "[EMAIL]": 1 });
  });

  it("leaves what it did not find as it is, times and the span too, and groups as before", () => {
    const { provider, records } = provided();
    const logger = provider.getLogger("winston", "1", { attributes: { by: PLANTED } });
    const span: SpanContext = { traceId: "0".repeat(31) + 1, spanId: "0".repeat(15) + 1, traceFlags: 1 };
    const context = trace.setSpanContext(ROOT_CONTEXT, span);
    logger.emit({ body: "one", timestamp: [5, 6], observedTimestamp: [7, 8], context });
    logger.emit({ body: `{"not": json ${PLANTED}` });
    const [one, two] = records();
    expect(one).toMatchObject({ body: "one", hrTime: [5, 6], hrTimeObserved: [7, 8], spanContext: span });
    expect(one).not.toHaveProperty("eventName");
    expect(two?.body).toBe('{"not": json [EMAIL]');
    expect(one?.resource).toBe(two?.resource);
    expect(one?.instrumentationScope).toBe(two?.instrumentationScope);
  });
});

describe("redaction of spans at the exit", () => {
  /** Finds a name anywhere, and card numbers also as numbers. */
  const strict: Redactor = {
    redact: (text) => text.replaceAll(/jane|4111111111111111/g, "***"),
    value(value) {
      if (typeof value === "number") return String(value) === "4111111111111111" ? "***" : value;
      return JSON.parse(strict.redact(JSON.stringify(value)));
    },
  };

  it("is of keys that look like words, of numbers, and of what other systems passed along", () => {
    const exporter = new InMemorySpanExporter();
    telemetry = setupTracing({ processors: [new SimpleSpanProcessor(exporter)], redactor: strict });
    const tracer = trace.getTracer("other");
    const remote = { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1, isRemote: true };
    const traceState = createTraceState("vendor=jane");
    const harmless = createTraceState("vendor=x");
    const link = (state: typeof traceState) => ({ context: { ...remote, traceState: state }, attributes: { jane: 1 } });
    const parent = trace.setSpanContext(ROOT_CONTEXT, { ...remote, traceState });
    tracer
      .startSpan(
        "s",
        {
          attributes: { "user.jane": 1, card: 4111111111111111, cards: [1, 4111111111111111], port: 443, on: true },
          links: [link(traceState), link(harmless)],
        },
        parent,
      )
      .end();
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toEqual({ "user.***": 1, card: "***", cards: [1, "***"], port: 443, on: true });
    expect(span?.links.map(({ attributes, context }) => [attributes, context.traceState?.serialize()])).toEqual([
      [{ "***": 1 }, undefined],
      [{ "***": 1 }, "vendor=x"],
    ]);
    expect(span?.spanContext().traceState).toBeUndefined();
    expect(span?.parentSpanContext).toEqual(remote);
  });

  it("keeps the names of the conventions, and does not grow with keys that a program makes up", () => {
    const exporter = new InMemorySpanExporter();
    const asked: string[] = [];
    const counting: Redactor = {
      redact(text) {
        asked.push(text);
        return text;
      },
      value: (value) => value,
    };
    telemetry = setupTracing({ processors: [new SimpleSpanProcessor(exporter)], redactor: counting });
    const tracer = trace.getTracer("other");
    for (const key of ["gen_ai.request.model", "suite.status", "http.route", "http.route"]) {
      tracer.startSpan("s", { attributes: { [key]: 1 } }).end();
    }
    expect(asked).not.toContain("gen_ai.request.model");
    expect(asked.filter((text) => text === "http.route")).toHaveLength(1);
    for (let i = 0; i < 3000; i++) tracer.startSpan("s", { attributes: { [`key ${i}`]: 1 } }).end();
    asked.length = 0;
    tracer.startSpan("s", { attributes: { "key 2999": 1 } }).end();
    expect(asked).toContain("key 2999");
  });
});

it("lets nothing planted out of setupTracing, in log records, spans or metrics, resources included", async () => {
  process.env.OTEL_RESOURCE_ATTRIBUTES = `owner=${encodeURIComponent(PLANTED)}`;
  const receiver = await startReceiver();
  telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, logs: true, redactor });
  logs.getLogger("winston").emit({ body: `of ${PLANTED}`, attributes: { deep: { of: [PLANTED] } } });
  trace.getTracer("t").startSpan(PLANTED).end();
  metrics.getMeter("t").createCounter("c").add(1);
  await telemetry.shutdown();
  await receiver.stop();
  expect([...new Set(receiver.paths)].sort()).toEqual(["/v1/logs", "/v1/metrics", "/v1/traces"]);
  const sent = receiver.bodies.join("");
  expect(sent).not.toContain(PLANTED);
  expect(sent.match(/\[EMAIL\]/g)?.length).toBeGreaterThanOrEqual(6);
});
