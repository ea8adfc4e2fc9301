import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { createNoopMeter, diag, metrics, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { registeredLoggerProvider } from "../src/logs/logger.js";
import { type SetupOptions, setupTracing, type TracingSetup } from "../src/node.js";
import { Logging } from "./logging.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { stopSdk } from "./support.js";

let telemetry: TracingSetup | undefined;
const receivers: Receiver[] = [];
const warn = jest.fn<(message: string) => void>();
afterEach(async () => {
  await telemetry?.shutdown();
  telemetry = undefined;
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  warn.mockClear();
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
  diag.disable();
  logs.disable();
  stopSdk();
});

const start = (options: SetupOptions = {}, env: Record<string, string> = {}): TracingSetup => {
  Object.assign(process.env, env);
  telemetry = setupTracing({ warn, ...options });
  return telemetry;
};
/** Stopped after the test. */
const receiving = async (status?: number): Promise<Receiver> => {
  const receiver = await startReceiver(status);
  receivers.push(receiver);
  return receiver;
};
const said = () => warn.mock.calls.map(([message]) => message);
const url = (port: number) => `http://127.0.0.1:${port}`;
const emit = (body: string) => logs.getLogger("t").emit({ body });

/** One log record, and where it went. */
const sentTo = async (
  options: (port: number) => SetupOptions,
  env: (port: number) => Record<string, string> = () => ({}),
) => {
  const receiver = await receiving();
  const { flush } = start(options(receiver.port), env(receiver.port));
  emit("hello");
  await flush();
  await telemetry?.shutdown();
  return receiver;
};
const pathsTo = async (...where: Parameters<typeof sentTo>) => (await sentTo(...where)).paths;

describe("log records", () => {
  it("are sent where code asks for them, to the same collector", async () => {
    const { paths, bodies } = await sentTo((port) => ({ endpoint: `${url(port)}/otlp/v1/logs`, logs: true }));
    expect(paths).toEqual(["/otlp/v1/logs"]);
    expect(bodies.join("")).toContain("hello");
  });

  it("are sent where the variable asks for them, and nowhere else", async () => {
    const to = (port: number) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url(port) });
    const none = () => ({});
    expect(await pathsTo(none, to)).toEqual([]);
    expect(await pathsTo(none, (port) => ({ ...to(port), OTEL_LOGS_EXPORTER: "none" }))).toEqual([]);
    expect(await pathsTo(none, (port) => ({ ...to(port), OTEL_LOGS_EXPORTER: "otlp" }))).toEqual(["/v1/logs"]);
    const own = (port: number) => ({
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${url(port)}/own`,
      OTEL_LOGS_EXPORTER: "otlp",
    });
    expect(await pathsTo(none, own)).toEqual(["/own"]);
    expect(await pathsTo(() => ({ logs: false }), own)).toEqual([]);
  });

  it("are not sent by default", async () => {
    expect(await pathsTo((port) => ({ endpoint: url(port) }))).toEqual([]);
  });

  it("are nowhere with OTEL_SDK_DISABLED", async () => {
    const off = () => ({ OTEL_SDK_DISABLED: "true" });
    expect(await pathsTo((port) => ({ endpoint: url(port), logs: true }), off)).toEqual([]);
    expect(telemetry?.loggerProvider).toBeUndefined();
  });

  it("wait as long as code says, before the variable", async () => {
    const receiver = await receiving();
    const options = { endpoint: url(receiver.port), logs: { interval: 5 } };
    start(options, { OTEL_BLRP_SCHEDULE_DELAY: "3600000" });
    emit("hello");
    while (receiver.bodies.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await telemetry?.shutdown();
    expect(receiver.bodies.join("")).toContain("hello");
  });

  it("are batched and cut as the standard variables say", async () => {
    const receiver = await receiving();
    const { flush } = start(
      { endpoint: url(receiver.port), logs: true },
      { OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: "1", OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT: "2" },
    );
    logs.getLogger("t").emit({ attributes: { key: "abc" } });
    emit("two");
    await flush();
    await telemetry?.shutdown();
    expect(receiver.bodies).toHaveLength(2);
    expect(receiver.bodies[0]).toContain('"ab"');
    expect(receiver.bodies[0]).not.toContain('"abc"');
  });
});

describe("the logger provider", () => {
  it("is registered until shutdown, and given back", async () => {
    const { loggerProvider } = start({ endpoint: url(1), logs: true });
    expect(loggerProvider).toBeDefined();
    expect(registeredLoggerProvider()).toBe(loggerProvider);
    await telemetry?.shutdown();
    expect(registeredLoggerProvider()).toBeUndefined();
  });

  it("is the program's own where it has one", async () => {
    const { provider, names } = new Logging().register();
    const { loggerProvider, shutdown } = start({ endpoint: url(1), logs: true });
    expect(loggerProvider).toBeUndefined();
    await shutdown();
    expect(registeredLoggerProvider()).toBe(provider);
    expect(names).toEqual([]);
  });

  it.each<SetupOptions>([{ logs: { interval: 0 } }, { logs: true, metrics: { interval: 0 } }])(
    "is not left registered if an option is refused: %j",
    (options) => {
      expect(() => start({ endpoint: url(1), ...options })).toThrow("milliseconds");
      expect(registeredLoggerProvider()).toBeUndefined();
      expect(metrics.getMeter("t")).toBe(createNoopMeter());
      expect(trace.getTracer("t").startSpan("s").isRecording()).toBe(false);
    },
  );
});

describe("warnings", () => {
  const lost = async (endpoint: string, env: Record<string, string> = {}) => {
    const { flush } = start({ endpoint, logs: true, metrics: false }, env);
    for (const _ of [1, 2]) {
      trace.getTracer("t").startSpan("s").end();
      emit("hello");
      await flush();
    }
    return said().filter((message) => message.includes("could not be sent"));
  };

  it("report that log records do not arrive, once, but not if spans do not arrive either", async () => {
    const receiver = await receiving(400);
    expect(await lost(url(receiver.port))).toEqual([expect.stringContaining("spans could not be sent to")]);
  });

  it("tell that log records alone do not arrive", async () => {
    const [refusing, taking] = [await receiving(400), await receiving()];
    Object.assign(process.env, {
      OTEL_EXPORTER_OTLP_ENDPOINT: url(taking.port),
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `http://user:secret@127.0.0.1:${refusing.port}/v1/logs?key=secret`,
      OTEL_LOGS_EXPORTER: "otlp",
    });
    const { flush } = start();
    for (const _ of [1, 2]) {
      trace.getTracer("t").startSpan("s").end();
      emit("hello");
      await flush();
    }
    expect(said()).toEqual([
      `@suite/tracing: log records could not be sent to ${url(refusing.port)}/v1/logs: it answers 400. They are lost until it answers; the program continues. setupTracing({ logs: false }) sends none.`,
    ]);
  });

  it("come once for plain HTTP, and show no credentials, in headers of logs neither", async () => {
    const shown = jest.spyOn(console, "error").mockImplementation(() => {});
    const env = { OTEL_EXPORTER_OTLP_LOGS_HEADERS: "x-key=topsecret", OTEL_LOG_LEVEL: "warn" };
    start({ endpoint: "http://user:secret@collector.test:4318", logs: true }, env);
    diag.warn("topsecret");
    expect(said()).toEqual([expect.stringContaining("over plain HTTP")]);
    expect(String(said()) + String(shown.mock.calls)).not.toContain("secret");
    shown.mockRestore();
  });
});
