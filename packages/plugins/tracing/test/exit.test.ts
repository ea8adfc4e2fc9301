import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { context, DiagLogLevel, diag, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { TracingError } from "../src/index.js";
import { redactingExporter, type SetupOptions, setupTracing, type TracingSetup } from "../src/node.js";
import { registeredProvider } from "../src/tracer.js";
import { startReceiver } from "./receiver.js";
import { Harness, redactor, startSdk, stopSdk, words } from "./support.js";

let telemetry: TracingSetup | undefined;
afterEach(async () => {
  await telemetry?.shutdown();
  telemetry = undefined;
  for (const name of Object.keys(process.env)) if (name.startsWith("OTEL_")) delete process.env[name];
  stopSdk();
});

const codeOf = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return TracingError.is(error) ? error.code : error;
  }
  return "nothing thrown";
};

/** Spans as another instrumentation makes them, with an address wherever text can stand. */
const leak = () => {
  const tracer = trace.getTracer("http");
  const other = tracer.startSpan("other");
  const span = tracer.startSpan("GET /ann@example.com", {
    attributes: {
      "url.full": "https://shop.test/?q=ann@example.com",
      "http.request.header.x-user": ["ann@example.com", "b"],
      "of ann@example.com": 1,
      "db.query.text": '{"where":"ann@example.com \\u0061nn@example.com"}',
      "gen_ai.conversation.id": "ann@example.com",
      "net.peer.name": "ann@example.com",
    },
    links: [{ context: other.spanContext(), attributes: { by: "ann@example.com" } }],
  });
  span.addEvent("ann@example.com logged in", { who: "ann@example.com" });
  span.setStatus({ code: 2, message: "ann@example.com unknown" });
  span.end();
  other.end();
};

describe("redaction at the exit", () => {
  it("takes personal data out of every span, whoever made it: names, attributes, keys, events, links, status, resource", async () => {
    const exporter = new InMemorySpanExporter();
    telemetry = setupTracing({
      serviceName: "shop",
      serviceVersion: "of ann@example.com",
      processors: [new SimpleSpanProcessor(exporter)],
      redactor,
      exempt: ["service.version"],
    });
    leak();
    const [span] = exporter.getFinishedSpans();
    const { "gen_ai.conversation.id": id, "net.peer.name": peer, ...attributes } = span?.attributes ?? {};
    expect(id).toBe("ann@example.com");
    expect(peer).toBe("[EMAIL]");
    expect(attributes).toEqual({
      "url.full": "https://shop.test/?q=[EMAIL]",
      "http.request.header.x-user": ["[EMAIL]", "b"],
      "of [EMAIL]": 1,
      "db.query.text": '{"where":"[EMAIL] [EMAIL]"}',
    });
    expect(span?.name).toBe("GET /[EMAIL]");
    expect(span?.status.message).toBe("[EMAIL] unknown");
    expect(span?.events[0]).toMatchObject({ name: "[EMAIL] logged in", attributes: { who: "[EMAIL]" } });
    expect(span?.links[0]?.attributes).toEqual({ by: "[EMAIL]" });
    expect(span?.resource.attributes).toMatchObject({
      "service.name": "shop",
      "service.version": "of ann@example.com",
    });
  });

  it("covers further exporters and the tree on the terminal", async () => {
    const exporter = new InMemorySpanExporter();
    const written: string[] = [];
    telemetry = setupTracing({ exporters: [exporter], consoleTree: { write: (text) => written.push(text) }, redactor });
    leak();
    await telemetry.flush();
    expect(written.join("")).toMatch(/GET \/\[EMAIL\]/);
    expect(written.join("")).not.toContain("example.com");
    expect(exporter.getFinishedSpans()[0]?.name).toBe("GET /[EMAIL]");
  });

  it("wraps any exporter by hand, with the spans' resource grouped as before", async () => {
    const inner = new InMemorySpanExporter();
    const exporter = redactingExporter(inner, redactor, { exempt: ["net.peer.name"] });
    telemetry = setupTracing({ processors: [new SimpleSpanProcessor(exporter)] });
    leak();
    const [one, two] = inner.getFinishedSpans();
    expect(one?.attributes["net.peer.name"]).toBe("ann@example.com");
    expect(one?.resource).toBe(two?.resource);
  });
});

describe("setupTracing", () => {
  it("sends nothing where no endpoint is named", async () => {
    const fetched = jest.spyOn(globalThis, "fetch");
    telemetry = setupTracing({ serviceName: "quiet" });
    await (await new Harness().chat(new Harness().begin(), () => words("a"))).final();
    await expect(telemetry.flush()).resolves.toBeUndefined();
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  it("names the service by code, else by the standard variable", async () => {
    process.env.OTEL_SERVICE_NAME = "from-env";
    for (const [options, name] of [
      [{}, "from-env"],
      [{ serviceName: "from-code" }, "from-code"],
    ] as const) {
      const exporter = new InMemorySpanExporter();
      telemetry = setupTracing({ ...options, processors: [new SimpleSpanProcessor(exporter)] });
      trace.getTracer("t").startSpan("s").end();
      expect(exporter.getFinishedSpans()[0]?.resource.attributes["service.name"]).toBe(name);
      await telemetry.shutdown();
    }
  });

  it("warns once, with the address and without its credentials, when spans do not arrive, and the program goes on", async () => {
    const warn = jest.fn<(message: string) => void>();
    const receiver = await startReceiver(400);
    telemetry = setupTracing({ endpoint: `http://user:secret@127.0.0.1:${receiver.port}/?key=secret`, warn });
    for (const _ of [1, 2]) {
      trace.getTracer("t").startSpan("s").end();
      await telemetry.flush().catch(() => {});
    }
    await receiver.stop();
    expect(receiver.bodies).toHaveLength(2);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`http://127.0.0.1:${receiver.port}/v1/traces`)]]);
    expect(String(warn.mock.calls)).not.toContain("secret");
  });

  it("refuses an endpoint that is none without showing it", () => {
    for (const endpoint of ["localhost:4318", "ftp://user:secret@host", ""]) {
      expect(codeOf(() => setupTracing({ endpoint }))).toBe("ERR_TRACING_INVALID_OPTION");
    }
    expect(() => setupTracing({ endpoint: "user:secret@host" })).toThrow(/^(?!.*secret)/);
  });

  it("refuses an option that there is not: a redactor that is misspelt would redact nothing", () => {
    expect(codeOf(() => setupTracing({ redacter: {} } as object))).toBe("ERR_TRACING_INVALID_OPTION");
  });

  describe("called again, as by a module that a dev server reloads,", () => {
    const warn = jest.fn<(message: string) => void>();
    const again = (options: SetupOptions = {}) => setupTracing({ serviceName: "shop", warn, ...options });
    beforeEach(() => void warn.mockClear());

    it("returns the first set-up of the same service and warns that its options stay", () => {
      telemetry = again();
      expect(again({ consoleTree: true })).toBe(telemetry);
      expect(warn.mock.calls).toEqual([[expect.stringMatching(/called again.*first call stays.*Restart/)]]);
      expect(registeredProvider()).toBe(telemetry.provider);
    });

    it("is refused for another service", () => {
      telemetry = again();
      expect(codeOf(() => again({ serviceName: "desk" }))).toBe("ERR_TRACING_PROVIDER_REGISTERED");
      expect(warn).not.toHaveBeenCalled();
    });

    it("registers anew after shutdown, and after the API was disabled", async () => {
      const first = again();
      await first.shutdown();
      const second = again();
      expect(second).not.toBe(first);
      stopSdk();
      telemetry = again();
      expect(telemetry).not.toBe(second);
      await second.shutdown();
      expect(warn).not.toHaveBeenCalled();
    });
  });

  it("refuses to stand beside a provider that is registered, and makes room when it shuts down", async () => {
    const complaints: unknown[] = [];
    const log = (...words: unknown[]) => void complaints.push(words);
    diag.setLogger({ error: log, warn: log, info: log, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN);
    startSdk();
    expect(codeOf(() => setupTracing())).toBe("ERR_TRACING_PROVIDER_REGISTERED");
    stopSdk();
    await setupTracing().shutdown();
    telemetry = setupTracing();
    expect(complaints).toEqual([]);
    diag.disable();
    expect(context.active()).toBeDefined();
  });
});
