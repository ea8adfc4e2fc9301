import { afterEach, describe, expect, it } from "@jest/globals";
import { metrics, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@suite/core";
import { type SetupOptions, setupTracing, type TracingSetup } from "../src/node.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { redactor } from "./support.js";

let telemetry: TracingSetup | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  await telemetry?.shutdown();
  await receiver?.stop();
  telemetry = undefined;
  receiver = undefined;
});

/** Groups of digits, as cards and phone numbers are written. */
const digits: Redactor = {
  redact: (text) => text.replaceAll(/\d{4} \d{4}/g, "[DIGITS]"),
  value: (value) => value,
};

const spans = (options: SetupOptions) => {
  const exporter = new InMemorySpanExporter();
  telemetry = setupTracing({ processors: [new SimpleSpanProcessor(exporter)], ...options });
  return {
    end: (attributes: Record<string, string>, scope = "http") =>
      trace.getTracer(scope, "1").startSpan("s", { attributes }).end(),
    ended: () => exporter.getFinishedSpans(),
  };
};

describe("redaction at the exit, of spans of others,", () => {
  it("is of the server too, which may have been named by anybody, but not of a model's", () => {
    const { end, ended } = spans({ redactor });
    end({ "server.address": "ann@example.com" });
    end({ "server.address": "ann@example.com", "gen_ai.operation.name": "chat" });
    expect(ended().map(({ attributes }) => attributes["server.address"])).toEqual(["[EMAIL]", "ann@example.com"]);
  });

  it("leaves the server alone where it is exempt", () => {
    const { end, ended } = spans({ redactor, exempt: ["server.address"] });
    end({ "server.address": "ann@example.com" });
    expect(ended()[0]?.attributes["server.address"]).toBe("ann@example.com");
  });

  it("is of the scope, which stays one for all its spans", () => {
    const { end, ended } = spans({ redactor });
    end({}, "of ann@example.com");
    end({}, "of ann@example.com");
    const [one, two] = ended();
    expect(one?.instrumentationScope).toMatchObject({ name: "of [EMAIL]", version: "1" });
    expect(one?.instrumentationScope).toBe(two?.instrumentationScope);
  });

  it("reads + as the space that it is in a query, and leaves it where that finds nothing", () => {
    const { end, ended } = spans({ redactor: digits });
    end({ a: "/?n=4111+1111&m=1", b: "1+1 is 2", c: "x@y.test/?n=4111%201111", d: "a+b 4111 1111" });
    expect(ended()[0]?.attributes).toEqual({
      a: "/?n=[DIGITS]&m=1",
      b: "1+1 is 2",
      c: "x@y.test/?n=4111%201111",
      d: "a+b [DIGITS]",
    });
  });
});

describe("redaction at the exit, of a batch,", () => {
  const batch = (redactor: Redactor) => {
    const exporter = new InMemorySpanExporter();
    telemetry = setupTracing({ exporters: [exporter], redactor, warn() {} });
    for (let i = 0; i < 3; i++) trace.getTracer("t").startSpan("s").end();
    return { exporter, flush: telemetry.flush };
  };

  it("lets the rest of the program have its turns while it takes long", async () => {
    const slow = (text: string) => {
      const start = performance.now();
      while (text === "s" && performance.now() < start + 25);
      return text;
    };
    const { exporter, flush } = batch({ redact: slow, value: (value) => value });
    let turns = 0;
    let over = false;
    const count = () => {
      turns++;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    await flush();
    over = true;
    expect(exporter.getFinishedSpans()).toHaveLength(3);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it("sends no part of it if the redactor throws, and the program continues", async () => {
    let left = 2;
    const broken = (text: string) => {
      if (text === "s" && --left === 0) throw new Error("a redactor of somebody");
      return text;
    };
    const { exporter, flush } = batch({ redact: broken, value: (value) => value });
    await flush();
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

describe("redaction at the exit, of metrics,", () => {
  const sent = async (options: SetupOptions) => {
    receiver = await startReceiver();
    telemetry = setupTracing({ endpoint: `http://127.0.0.1:${receiver.port}`, ...options });
    const meter = metrics.getMeter("http");
    const calls = meter.createCounter("calls");
    const duration = meter.createHistogram("duration", { advice: { explicitBucketBoundaries: [1, 2] } });
    for (const name of ["ann@example.com", "ben@example.com"]) {
      calls.add(1, { "error.type": `no ${name}`, [name]: true });
      duration.record(1.5, { "server.address": name });
    }
    meter.createObservableGauge("open").addCallback((result) => result.observe(1, { who: "ann@example.com" }));
    await telemetry.flush();
    return receiver.bodies.join("\n");
  };

  it("is of the attributes of every instrument, and what is equal then is one series", async () => {
    const body = await sent({ redactor });
    expect(body).not.toContain("example.com");
    const { resourceMetrics } = JSON.parse(body);
    const [calls, duration, open] = resourceMetrics[0].scopeMetrics[0].metrics;
    expect(calls.sum.dataPoints).toMatchObject([
      {
        asDouble: 2,
        attributes: [
          { key: "error.type", value: { stringValue: "no [EMAIL]" } },
          { key: "[EMAIL]", value: { boolValue: true } },
        ],
      },
    ]);
    expect(duration.histogram.dataPoints).toMatchObject([{ count: 2, explicitBounds: [1, 2] }]);
    expect(open.gauge.dataPoints).toMatchObject([{ attributes: [{ value: { stringValue: "[EMAIL]" } }] }]);
  });

  it("leaves out attributes that the redactor throws for, and measures all the same", async () => {
    const redact = (text: string): string => {
      if (text.includes("example.com")) throw new Error("a redactor of somebody");
      return text;
    };
    const body = await sent({ redactor: { redact, value: (value) => value } });
    expect(body).not.toContain("example.com");
    expect(JSON.parse(body).resourceMetrics[0].scopeMetrics[0].metrics[0].sum.dataPoints).toMatchObject([
      { asDouble: 2, attributes: [] },
    ]);
  });

  it("leaves exempt keys, and everything where there is no redactor", async () => {
    expect(await sent({ redactor, exempt: ["server.address"] })).toContain("ben@example.com");
    await telemetry?.shutdown();
    await receiver?.stop();
    expect(await sent({})).toContain("no ann@example.com");
  });
});
