import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { logs } from "@opentelemetry/api-logs";
import { readEnvironment } from "../src/node/environment.js";
import { endpointFor, exporterFor, type WayOut } from "../src/node/export/otlp.js";
import { Warnings } from "../src/node/warnings.js";
import { type OtlpProtocol, type SetupOptions, setupTracing, type TracingSetup } from "../src/node.js";
import { textAt } from "./protobuf.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { Harness, modelRequest, reply, stopSdk } from "./support.js";

let telemetry: TracingSetup | undefined;
let receiver: Receiver | undefined;
const warn = jest.fn<(message: string) => void>();
afterEach(async () => {
  await telemetry?.shutdown();
  telemetry = undefined;
  await receiver?.stop();
  receiver = undefined;
  warn.mockClear();
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
  logs.disable();
  stopSdk();
});
const said = () => warn.mock.calls.map(([message]) => message);

/** A model call and its events, sent; by path. */
async function sent(options: SetupOptions, env: Record<string, string> = {}) {
  receiver = await startReceiver();
  Object.assign(process.env, env);
  telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, logs: true, warn, ...options });
  const { stack } = new Harness({ events: "log" });
  const run = stack.begin();
  await (await stack.call("model", run, modelRequest(), async (m) => m.respond({ value: reply("hi") }))).final();
  await run.end();
  await telemetry.shutdown();
  return Object.fromEntries(receiver.requests.map((request) => [request.path.replace("/v1/", ""), request]));
}

const DETAILS = "gen_ai.client.inference.operation.details";
const JSON_TYPE = "application/json";
const PROTOBUF_TYPE = "application/x-protobuf";

describe("OTLP is sent", () => {
  it("as JSON by default, to the path of each signal", async () => {
    const { traces, metrics, logs: records } = await sent({});
    for (const request of [traces, metrics, records]) expect(request?.type).toBe(JSON_TYPE);
    const parsed = [traces, metrics, records].map((request) => JSON.parse(String(request?.body)));
    expect(parsed[0].resourceSpans[0].scopeSpans[0].spans[0].name).toBe("chat gpt-5");
    expect(parsed[1].resourceMetrics[0].scopeMetrics[0].metrics[0].name).toMatch(/^gen_ai\./);
    const [span] = parsed[0].resourceSpans[0].scopeSpans[0].spans;
    const { traceId, spanId } = span;
    expect(parsed[2].resourceLogs[0].scopeLogs[0].logRecords).toEqual([
      expect.objectContaining({ eventName: DETAILS, severityNumber: 5, traceId, spanId }),
    ]);
    expect(said()).toEqual([]);
  });

  it.each<[SetupOptions, Record<string, string>]>([
    [{ protocol: "http/protobuf" }, {}],
    [{}, { OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }],
    [{ protocol: "http/protobuf" }, { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }],
  ])("as protobuf where code or a variable asks for it: %j %j", async (options, env) => {
    const { traces, metrics, logs: records } = await sent({ serviceName: "shop", ...options }, env);
    const bytes = (request: typeof traces): Uint8Array => {
      expect(request?.type).toBe(PROTOBUF_TYPE);
      return request?.body ?? new Uint8Array();
    };
    // Field numbers of opentelemetry-proto: resource_* 1, scope_* 2, what it holds 2, and then the name.
    expect(textAt(bytes(traces), 1, 2, 2, 5)).toEqual(["chat gpt-5"]);
    expect(textAt(bytes(traces), 1, 1, 1, 2, 1)).toContain("shop");
    expect(textAt(bytes(metrics), 1, 2, 2, 1)).toContain("gen_ai.client.inference.duration");
    expect(textAt(bytes(records), 1, 2, 2, 12)).toEqual([DETAILS]);
    expect(said()).toEqual([]);
  });

  it("as the variable of each signal asks, before that of all", async () => {
    const {
      traces,
      metrics,
      logs: records,
    } = await sent(
      {},
      {
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "HTTP/JSON ",
      },
    );
    expect([traces?.type, metrics?.type, records?.type]).toEqual([PROTOBUF_TYPE, JSON_TYPE, JSON_TYPE]);
    expect(said()).toEqual([]);
  });

  it.each([
    ["grpc", /grpc.*http\/json.*4318/],
    ["http/xml", /"http\/json" and "http\/protobuf"/],
  ])("as JSON, with one warning, where %s is asked for", async (protocol, warning) => {
    const { traces, metrics, logs: records } = await sent({}, { OTEL_EXPORTER_OTLP_PROTOCOL: protocol });
    expect([traces?.type, metrics?.type, records?.type]).toEqual([JSON_TYPE, JSON_TYPE, JSON_TYPE]);
    expect(said()).toEqual([expect.stringMatching(warning)]);
  });

  it("not at all where code asks for what there is not", () => {
    const options = { endpoint: "http://localhost:4318", protocol: "grpc" as OtlpProtocol };
    expect(() => setupTracing(options)).toThrow("http/protobuf");
  });
});

describe("a receiver that takes protobuf only", () => {
  const start = async (options: SetupOptions = {}) => {
    receiver = await startReceiver((type) => (type === PROTOBUF_TYPE ? 200 : 415));
    telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, logs: true, warn, ...options });
    const { stack } = new Harness({ events: "log" });
    for (const _ of [1, 2]) {
      const run = stack.begin();
      const outcome = await stack.call("model", run, modelRequest(), async (m) => m.respond({ value: reply("hi") }));
      await outcome.final();
      await run.end();
      await telemetry.flush();
    }
    await telemetry.shutdown();
    return receiver.requests;
  };

  it("is sent JSON once for each signal, and from then on protobuf: nothing is lost, and nothing is warned of", async () => {
    const requests = await start();
    for (const signal of ["traces", "metrics", "logs"]) {
      const types = requests.filter(({ path }) => path.endsWith(signal)).map(({ type }) => type);
      expect(types.slice(0, 3)).toEqual([JSON_TYPE, PROTOBUF_TYPE, PROTOBUF_TYPE]);
      expect(types.lastIndexOf(JSON_TYPE)).toBe(0);
    }
    const taken = requests.filter(({ path, type }) => path.endsWith("traces") && type === PROTOBUF_TYPE);
    expect(taken.map(({ body }) => textAt(body, 1, 2, 2, 5))).toEqual([["chat gpt-5"], ["chat gpt-5"]]);
    expect(said()).toEqual([]);
  });

  it("is sent JSON if code asks for it, and one warning says what to change", async () => {
    const requests = await start({ protocol: "http/json", metrics: false, logs: false });
    expect(requests.map(({ type }) => type)).toEqual([JSON_TYPE, JSON_TYPE]);
    expect(said()[0]).toMatch(/it returns 415: .*protobuf/);
  });
});

describe("where the exporter for protobuf is not installed", () => {
  class Sender {
    constructor(readonly options: object) {}
    export(): void {}
  }
  const make = (json: typeof Sender | undefined) => {
    const environment = readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" });
    const destination = { protocol: "http/protobuf", headers: { a: "b" } } as const;
    const way: WayOut = { destination, environment, warnings: new Warnings(warn) };
    return (["traces", "metrics", "logs"] as const).map((signal) => {
      const endpoint = endpointFor(signal, way);
      if (endpoint === undefined) throw new Error("no endpoint");
      return exporterFor<unknown, Sender>(signal, endpoint, way, { json: () => json, protobuf: () => undefined })
        ?.exporter;
    });
  };

  it("JSON is sent, with one warning for all signals", () => {
    const exporters = make(Sender);
    const headers = { a: "b" };
    expect(exporters.map((exporter) => exporter?.options)).toEqual(
      ["traces", "metrics", "logs"].map((signal) => ({ url: `http://localhost:4318/v1/${signal}`, headers })),
    );
    expect(said()).toEqual([expect.stringMatching(/otlp-proto.*JSON is sent/)]);
  });

  it("and the other is not either, nothing is made or said", () => {
    expect(make(undefined)).toEqual([undefined, undefined, undefined]);
    expect(said()).toEqual([]);
  });
});
