import { hostname } from "node:os";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { diag, metrics, propagation, trace } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { type SetupOptions, setupTracing, type TracingSetup } from "../src/node.js";
import { Metering } from "./metering.js";
import { startReceiver } from "./receiver.js";
import { Harness, modelRequest, reply, stopSdk } from "./support.js";

let telemetry: TracingSetup | undefined;
const warn = jest.fn<(message: string) => void>();
afterEach(async () => {
  await telemetry?.shutdown();
  telemetry = undefined;
  warn.mockClear();
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
  diag.disable();
  stopSdk();
});

const start = (options: SetupOptions = {}, env: Record<string, string> = {}): TracingSetup => {
  Object.assign(process.env, env);
  telemetry = setupTracing({ warn, ...options });
  return telemetry;
};
const said = () => warn.mock.calls.map(([message]) => message);

/** One span and one measured call, and where they went. */
const sentTo = async (
  options: (port: number) => SetupOptions,
  env: (port: number) => Record<string, string> = () => ({}),
) => {
  const receiver = await startReceiver();
  const { flush } = start(options(receiver.port), env(receiver.port));
  const { stack } = new Harness();
  await (
    await stack.call("model", stack.begin(), modelRequest(), async (m) => m.respond({ value: reply("hi") }))
  ).final();
  await flush();
  await telemetry?.shutdown();
  await receiver.stop();
  return [...new Set(receiver.paths)].sort();
};
const url = (port: number) => `http://127.0.0.1:${port}`;
const BOTH = ["/v1/metrics", "/v1/traces"];

describe("where things go", () => {
  it("is what code says, for spans and metrics, whichever path it ends in", async () => {
    expect(await sentTo((port) => ({ endpoint: url(port) }))).toEqual(BOTH);
    expect(await sentTo((port) => ({ endpoint: `${url(port)}/v1/traces` }))).toEqual(BOTH);
    expect(await sentTo((port) => ({ endpoint: `${url(port)}/otlp/` }))).toEqual([
      "/otlp/v1/metrics",
      "/otlp/v1/traces",
    ]);
  });

  it("is what the standard variables say", async () => {
    const none = () => ({});
    expect(await sentTo(none, (port) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url(port) }))).toEqual(BOTH);
  });

  it.each([
    ["OTEL_TRACES_EXPORTER", ["/v1/metrics"]],
    ["OTEL_METRICS_EXPORTER", ["/v1/traces"]],
  ])("is nowhere for what %s=none turns off", async (name, paths) => {
    const env = (port: number) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url(port), [name]: "none" });
    expect(await sentTo(() => ({}), env)).toEqual(paths);
  });

  it("has no metrics where code wants none, or the program has a meter provider", async () => {
    expect(await sentTo((port) => ({ endpoint: url(port), metrics: false }))).toEqual(["/v1/traces"]);
    const metering = new Metering().register();
    expect(await sentTo((port) => ({ endpoint: url(port) }))).toEqual(["/v1/traces"]);
    expect(metrics.getMeterProvider()).toBe(metering.provider);
    await metering.stop();
  });

  it("is nowhere at all with OTEL_SDK_DISABLED, and nothing is registered", async () => {
    expect(
      await sentTo(
        (port) => ({ endpoint: url(port) }),
        () => ({ OTEL_SDK_DISABLED: "true" }),
      ),
    ).toEqual([]);
    start({}, { OTEL_SDK_DISABLED: "TRUE" });
    expect(trace.getTracer("t").startSpan("s").isRecording()).toBe(false);
  });

  it("is reported, and nothing is sent, if a variable contains no address", () => {
    start({}, { OTEL_EXPORTER_OTLP_ENDPOINT: "user:secret@host" });
    expect(said()).toEqual([expect.stringContaining("not an http or https address")]);
    expect(said().join("")).not.toContain("secret");
  });

  it("refuses an interval that is none", () => {
    expect(() => start({ endpoint: url(1), metrics: { interval: 0 } })).toThrow("milliseconds");
    expect(trace.getTracer("t").startSpan("s").isRecording()).toBe(false);
  });
});

describe("warnings", () => {
  it("come once where anybody on the way could read, and never for this machine or https", () => {
    start({ endpoint: "http://user:secret@collector.test:4318/?key=secret" });
    expect(said()).toEqual([expect.stringContaining("http://collector.test:4318/v1/traces over plain HTTP")]);
    expect(said().join("")).not.toContain("secret");
  });

  it.each(["http://localhost:4318", "http://127.0.0.9:4318", "http://[::1]:4318", "https://collector.test"])(
    "are none for %s",
    (endpoint) => {
      start({ endpoint });
      expect(said()).toEqual([]);
    },
  );

  it("tell of a protocol and of propagators that are not spoken", () => {
    start({ endpoint: "https://collector.test" }, { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_PROPAGATORS: "b3" });
    expect(said()).toEqual([expect.stringContaining("http/json"), expect.stringContaining("OTEL_PROPAGATORS")]);
  });

  it("tell once that nothing arrives, for spans and metrics together", async () => {
    const receiver = await startReceiver(400);
    const { flush } = start({ endpoint: url(receiver.port) });
    const { stack } = new Harness();
    for (const _ of [1, 2]) {
      const outcome = await stack.call("model", stack.begin(), modelRequest(), async (m) =>
        m.respond({ value: reply("hi") }),
      );
      await outcome.final();
      await flush();
    }
    await telemetry?.shutdown();
    await receiver.stop();
    expect(said()).toEqual([
      expect.stringContaining(`${url(receiver.port)}/v1/traces`),
      expect.stringContaining("total spans lost: 2"),
    ]);
  });
});

it("propagates nothing with OTEL_PROPAGATORS=none, and W3C trace context otherwise", () => {
  start({}, { OTEL_PROPAGATORS: "none" });
  expect(propagation.fields()).toEqual([]);
  expect(said()).toEqual([]);
});

it("shows what the SDK says of itself as OTEL_LOG_LEVEL asks, without credentials", () => {
  const shown = jest.spyOn(console, "error").mockImplementation(() => {});
  const headers = { authorization: "Bearer abcdef" };
  const env = { OTEL_LOG_LEVEL: "warn", OTEL_EXPORTER_OTLP_HEADERS: "x-key=topsecret,x-other=in%20two" };
  start({ endpoint: "https://user:pa%24%24word@collector.test/?token=hidden", headers }, env);
  diag.warn("sent %s", "Bearer abcdef", { key: "topsecret" }, "user:pa%24%24word pa$$word hidden in two");
  diag.info("not this");
  expect(shown.mock.calls).toEqual([[expect.stringMatching(/^OpenTelemetry warn: sent \*\*\* /)]]);
  expect(String(shown.mock.calls)).not.toMatch(/abcdef|topsecret|word|hidden|two/);
  shown.mockRestore();
});

describe("the resource", () => {
  it("says which process on which machine it is, and nothing of its arguments, its user or its folders", () => {
    const { provider } = start({ serviceName: "shop" });
    const { resource } = provider.getTracer("t").startSpan("s") as unknown as ReadableSpan;
    expect(resource.attributes).toEqual({
      "service.name": "shop",
      "service.instance.id": expect.stringMatching(/^[\da-f-]{36}$/),
      "host.name": hostname(),
      "host.arch": expect.stringMatching(/^(?!x64)\w+$/),
      "process.pid": process.pid,
      "process.runtime.name": "nodejs",
      "process.runtime.version": process.versions.node,
      "telemetry.sdk.name": "opentelemetry",
      "telemetry.sdk.language": "nodejs",
      "telemetry.sdk.version": expect.any(String),
    });
  });

  it("uses the values of OTEL_RESOURCE_ATTRIBUTES", () => {
    const asked = { OTEL_RESOURCE_ATTRIBUTES: "service.instance.id=replica-2,host.name=blue" };
    const { provider } = start({ serviceName: "shop" }, asked);
    const { resource } = provider.getTracer("t").startSpan("s") as unknown as ReadableSpan;
    expect(resource.attributes).toMatchObject({ "service.instance.id": "replica-2", "host.name": "blue" });
  });
});
