import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { metrics, trace } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { incomingKey, propagatorsKey } from "@suite/core/propagation";
import { setupTracing, type TracingSetup } from "../src/node.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { Harness, modelRequest, redactor, reply, stopSdk } from "./support.js";
import { attributesNamed, spansAt } from "./wire.js";

let receiver: Receiver;
let telemetry: TracingSetup | undefined;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await telemetry?.shutdown();
  await receiver.stop();
  stopSdk();
  for (const name of Object.keys(process.env)) if (name.endsWith("LENGTH_LIMIT")) delete process.env[name];
});
const endpoint = () => `http://127.0.0.1:${receiver.port}`;
const guarded = { name: "guard", redactor } as const;

it.each(["ann@example.com", "ann%40example.com"])(
  "neither records nor passes on the trace state of a trusted caller that says %s",
  async (secret) => {
    telemetry = setupTracing({ endpoint: endpoint(), metrics: false });
    const harness = new Harness({ propagateTo: ["models.example.com"] }, [guarded]);
    const run = harness.begin();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    run.set(incomingKey, { carrier: { traceparent, tracestate: `u=${secret}` }, trusted: true });
    let carried: unknown;
    const outcome = await harness.stack.call("model", run, modelRequest(), async (model) => {
      const [propagator] = model.runtime.get(propagatorsKey);
      carried = propagator?.inject(model.call, model.runtime, { kind: "http", url: "https://models.example.com/" });
      model.respond({ value: reply("hi") });
    });
    await outcome.final();
    await telemetry.flush();
    expect(carried).toEqual({ traceparent: expect.stringContaining("0af7651916cd43dd8448eb211c80319c") });
    expect(spansAt(receiver)).toEqual([
      expect.objectContaining({ traceId: "0af7651916cd43dd8448eb211c80319c", parentSpanId: "b7ad6b7169203331" }),
    ]);
    expect(receiver.bodies.join()).not.toContain(secret);
  },
);

it("passes a trace state on in which nothing is found", async () => {
  telemetry = setupTracing({ endpoint: endpoint(), metrics: false });
  const harness = new Harness({}, [guarded]);
  const run = harness.begin();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  run.set(incomingKey, { carrier: { traceparent, tracestate: "vendor=ok" }, trusted: true });
  await (
    await harness.stack.call("model", run, modelRequest(), async (m) => m.respond({ value: reply("hi") }))
  ).final();
  await telemetry.flush();
  expect(spansAt(receiver)).toEqual([expect.objectContaining({ traceState: "vendor=ok" })]);
});

it("redacts what a server calls the reason to stop, and what a program calls its provider", async () => {
  telemetry = setupTracing({ endpoint: endpoint() });
  const harness = new Harness({}, [guarded]);
  const request = modelRequest({ provider: "ann@example.com" });
  const answer = { ...reply("hi"), finishReason: "stopped by ann@example.com" };
  await (
    await harness.stack.call("model", harness.begin(), request, async (m) => m.respond({ value: answer }))
  ).final();
  await telemetry.flush();
  expect(attributesNamed(receiver, "chat gpt-5")).toEqual([
    expect.objectContaining({
      "gen_ai.provider.name": "[EMAIL]",
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "stopped by [EMAIL]" }] },
    }),
  ]);
  expect(receiver.paths).toContain("/v1/metrics");
  expect(receiver.bodies.join()).not.toContain("ann@example.com");
});

it("redacts at the exit what instruments and their scopes are called", async () => {
  telemetry = setupTracing({ endpoint: endpoint(), redactor });
  const meter = metrics.getMeter("of ann@example.com", "ann@example.com");
  const options = { description: "for ann@example.com", unit: "ann@example.com" };
  // The SDK refuses "@" in names, but not in the rest.
  meter.createCounter("asked", options).add(2);
  await telemetry.flush();
  const sent = receiver.bodies.filter((_, i) => receiver.paths[i] === "/v1/metrics").join();
  expect(sent).toContain('"description":"for [EMAIL]"');
  expect(sent).toContain('"name":"of [EMAIL]"');
  expect(sent).toContain('"unit":"[EMAIL]"');
  expect(sent).not.toContain("ann@example.com");
});

it.each(["OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT"])(
  "cuts values of anybody's spans after they were redacted (%s)",
  async (variable) => {
    process.env[variable] = "12";
    telemetry = setupTracing({ endpoint: endpoint(), redactor, metrics: false });
    const span = trace.getTracer("other").startSpan("GET");
    span.setAttributes({ mail: "ann@example.com and more", mails: ["to ann@example.com, and more"] });
    span.end();
    await telemetry.flush();
    expect(attributesNamed(receiver, "GET")).toEqual([
      { mail: "[EMAIL] and ", mails: { values: [{ stringValue: "to [EMAIL], " }] } },
    ]);
  },
);

it("cuts values of log records after they were redacted", async () => {
  process.env.OTEL_LOGRECORD_ATTRIBUTE_VALUE_LENGTH_LIMIT = "12";
  telemetry = setupTracing({ endpoint: endpoint(), redactor, metrics: false, logs: true });
  logs.getLogger("other").emit({ attributes: { mail: "ann@example.com and more" } });
  await telemetry.flush();
  expect(receiver.bodies.join()).toContain('"[EMAIL] and "');
});

it("leaves values to the SDK where there is no redactor", async () => {
  process.env.OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT = "5";
  telemetry = setupTracing({ endpoint: endpoint(), metrics: false });
  trace
    .getTracer("other")
    .startSpan("GET", { attributes: { text: "123456" } })
    .end();
  await telemetry.flush();
  expect(attributesNamed(receiver, "GET")).toEqual([{ text: "12345" }]);
});
