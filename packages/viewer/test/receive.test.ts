import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Span } from "../src/run/span.js";
import { ask, requestOf, send, span, viewer } from "./support.js";

const json = { "content-type": "application/json" };
const protobuf = { "content-type": "application/x-protobuf" };

/** A trace as OpenTelemetry's own SDK makes it: nested, with events, links, a failure and attributes of each type. */
function recorded() {
  const exporter = new InMemorySpanExporter();
  const resource = resourceFromAttributes({ "service.name": "desk", "service.build": 7 });
  const provider = new NodeTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test-scope");
  const other = tracer.startSpan("other");
  other.end();
  const span = tracer.startSpan("chat é 🌦️", {
    links: [{ context: other.spanContext(), attributes: { why: "resumed" } }],
    attributes: { text: "x", whole: 42, part: 0.5, yes: true, list: ["a", "b"], numbers: [1, 2] },
  });
  span.addEvent("decision", { of: "guard" });
  span.setStatus({ code: 2, message: "no" });
  span.end();
  return exporter.getFinishedSpans();
}

const spansOf = async (shown: Awaited<ReturnType<typeof viewer>>, traceId = ""): Promise<readonly Span[]> =>
  ((await (await ask(shown, `/api/runs/${traceId}`)).json()) as { spans: Span[] }).spans;

describe("OTLP over HTTP", () => {
  it("is read the same as JSON and as protobuf, packed or not, as OpenTelemetry's exporters write it", async () => {
    const spans = recorded();
    const traceId = spans[1]?.spanContext().traceId;
    const asJson = JsonTraceSerializer.serializeRequest(spans) as Uint8Array<ArrayBuffer>;
    const asProtobuf = ProtobufTraceSerializer.serializeRequest(spans) as Uint8Array<ArrayBuffer>;
    const read: (readonly Span[])[] = [];
    for (const [body, headers] of [
      [asJson, json],
      [asProtobuf, protobuf],
      [gzipSync(asJson), { ...json, "content-encoding": "gzip" }],
      [gzipSync(asProtobuf), { ...protobuf, "content-encoding": "gzip" }],
    ] as const) {
      const shown = await viewer();
      const response = await send(shown, body as Uint8Array<ArrayBuffer>, headers);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, headers["content-type"]]);
      read.push(await spansOf(shown, traceId));
    }
    for (const each of read) expect(each).toEqual(read[0]);
    expect(read[0]).toEqual([
      {
        traceId,
        spanId: spans[1]?.spanContext().spanId,
        name: "chat é 🌦️",
        start: expect.any(Number),
        end: expect.any(Number),
        status: "error",
        statusMessage: "no",
        attributes: { text: "x", whole: 42, part: 0.5, yes: true, list: ["a", "b"], numbers: [1, 2] },
        events: [{ name: "decision", time: expect.any(Number), attributes: { of: "guard" } }],
        links: [
          {
            traceId: spans[0]?.spanContext().traceId,
            spanId: spans[0]?.spanContext().spanId,
            attributes: { why: "resumed" },
          },
        ],
        resource: expect.objectContaining({ "service.name": "desk", "service.build": 7 }),
        scope: "test-scope",
      },
    ]);
  });

  it("of logs and metrics is taken, and of nothing too", async () => {
    const shown = await viewer();
    expect((await send(shown, '{"resourceLogs":[]}', json, "/v1/logs")).status).toBe(200);
    expect((await send(shown, '{"resourceMetrics":[]}', json, "/v1/metrics")).status).toBe(200);
    expect((await send(shown, "{}")).status).toBe(200);
    expect((await send(shown, new Uint8Array(), protobuf)).status).toBe(200);
  });

  it.each<[string, number, string | Uint8Array<ArrayBuffer>, Record<string, string>, string]>([
    ["no JSON", 400, "{", json, "/v1/traces"],
    ["a JSON list", 400, "[]", json, "/v1/traces"],
    ["a list that is none", 400, '{"resourceSpans":{}}', json, "/v1/traces"],
    ["bytes that are no UTF-8", 400, Uint8Array.of(0x22, 0xff, 0x22), json, "/v1/traces"],
    ["no protobuf", 400, Uint8Array.of(0x0a, 0xff, 0xff, 0xff), protobuf, "/v1/traces"],
    [
      "a gzip that is cut off",
      400,
      gzipSync("{}").subarray(0, 12) as Uint8Array<ArrayBuffer>,
      { ...json, "content-encoding": "gzip" },
      "/v1/traces",
    ],
    ["what is no gzip", 400, "{}", { ...json, "content-encoding": "gzip" }, "/v1/traces"],
    ["another packing", 400, "{}", { ...json, "content-encoding": "br" }, "/v1/traces"],
    [
      "a bomb of gzip",
      413,
      gzipSync(Buffer.alloc(65 * 1024 * 1024)) as Uint8Array<ArrayBuffer>,
      { ...json, "content-encoding": "gzip" },
      "/v1/traces",
    ],
    ["another content type", 415, "{}", { "content-type": "text/plain" }, "/v1/traces"],
    ["an unknown version", 404, "{}", json, "/v2/traces"],
    ["a page of another origin", 403, "{}", { ...json, origin: "https://example.com" }, "/v1/traces"],
  ])("that is %s is refused with %i and a reason, and the viewer goes on", async (_, status, body, headers, path) => {
    const shown = await viewer();
    const response = await send(shown, body, headers, path);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ code: expect.any(Number), message: expect.stringMatching(/\w+.*\.$/) });
    expect((await send(shown, requestOf(span()))).status).toBe(200);
  });

  it("by another name of this machine than its own is refused: a page elsewhere may have its name lead here", async () => {
    const shown = await viewer();
    const { port } = new URL(shown.endpoint);
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          host: "127.0.0.1",
          port,
          path: "/v1/traces",
          method: "POST",
          headers: { ...json, host: `evil.example:${port}` },
        },
        ({ statusCode }) => resolve(statusCode),
      );
      sent.on("error", reject).end("{}");
    });
    expect(status).toBe(403);
  });

  it("says how many spans have no valid ids or start, and keeps the others", async () => {
    const shown = await viewer();
    const good = span();
    const bad = [span({ traceId: "0".repeat(32) }), span({ spanId: "xyz" }), span({ start: -1 })];
    const response = await send(shown, requestOf(good, ...bad));
    expect(await response.json()).toMatchObject({ partialSuccess: { rejectedSpans: "3" } });
    expect(await spansOf(shown, good.traceId)).toHaveLength(1);
  });

  const kinds: Readonly<Record<string, readonly unknown[]>> = {
    text: ["traceId", "spanId", "parentSpanId", "name"],
    number: ["startTimeUnixNano", "endTimeUnixNano"],
    list: ["attributes", "events", "links"],
    object: ["status"],
  };
  it.each([
    [null, ["text", "number", "list", "object"]],
    [1, ["number"]],
    ["x", ["text"]],
    ["7", ["text", "number"]],
    [[], ["list"]],
    [{ a: 1 }, ["object"]],
  ])(
    "with %j in the place of any member is refused where it has another type, and harms nothing",
    async (odd, right) => {
      const shown = await viewer();
      const { attributes, events, links, status, ...ids } = JSON.parse(requestOf(span())).resourceSpans[0].scopeSpans[0]
        .spans[0];
      const wire: Readonly<Record<string, unknown>> = { attributes, events, links, status, ...ids };
      for (const key of Object.values(kinds).flat() as string[]) {
        const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ ...wire, [key]: odd }] }] }] });
        const isRight = right.some((kind) => kinds[kind]?.includes(key));
        expect([key, (await send(shown, body)).status]).toEqual([key, isRight ? 200 : 400]);
      }
      expect((await ask(shown, "/api/runs")).status).toBe(200);
    },
  );

  it.each(["resource", "scopeSpans", "scope", "spans"])(
    "with another type in the place of %s is refused",
    async (key) => {
      const shown = await viewer();
      const scope = { scope: { name: "x" }, spans: [], ...(["scope", "spans"].includes(key) && { [key]: "x" }) };
      const body = JSON.stringify({
        resourceSpans: [{ resource: {}, scopeSpans: [scope], ...(!(key in scope) && { [key]: "x" }) }],
      });
      expect((await send(shown, body)).status).toBe(400);
    },
  );
});
