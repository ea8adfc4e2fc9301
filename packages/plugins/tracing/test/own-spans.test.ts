import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { context, propagation, type Span, trace } from "@opentelemetry/api";
import type { CallId, RuntimeContext } from "@suite/core";
import { propagate } from "@suite/core/propagation";
import { callContext } from "../src/index.js";
import { Harness, outline, startSdk, stopSdk, tool, words } from "./support.js";

// Spans of the program's own, in tools that ask a real server while other tools do the same.

let server: Server;
let url = "";
let received = new Map<string, string | undefined>();
beforeAll(async () => {
  server = createServer((request, response) => {
    received.set(request.url ?? "", String(request.headers.traceparent));
    setTimeout(() => response.end("ok"), Math.random() * 10);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});
afterEach(() => {
  stopSdk();
  received = new Map();
});

const names = ["a", "b", "c"] as const;
type Fetches = (name: string, runtime: RuntimeContext, call: CallId) => Promise<void>;

/** An agent that calls three tools at once. */
async function callAll(fetches: Fetches): Promise<void> {
  const harness = new Harness({ propagateTo: ["127.0.0.1"] });
  const run = harness.begin();
  const outcome = await harness.agent(run, async function* (call) {
    const calls = names.map(async (name) => {
      const made = tool(name, (_input, runtime, toolCall) => fetches(name, runtime, toolCall));
      await (await harness.tool(run, made, {}, call, name)).final();
    });
    await Promise.all(calls);
    yield* words("done");
  });
  await outcome.final();
  await run.end();
}

const own = () => trace.getTracer("own");
const query = async (span: Span, name: string, headers: Record<string, string>): Promise<void> => {
  const response = await fetch(`${url}/${name}`, { headers });
  await response.text();
  span.end();
};
const nested = [
  ...names.flatMap((name) => [`query ${name} < execute_tool ${name}`, `execute_tool ${name} < invoke_agent support`]),
  "invoke_agent support",
].sort();

describe("a span that a tool opens", () => {
  it("is a child of the tool's span in parallel runs, with AsyncLocalStorage", async () => {
    const exporter = startSdk();
    await callAll((name) =>
      own().startActiveSpan(`query ${name}`, async (span) => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        const headers = {};
        propagation.inject(context.active(), headers);
        await query(span, name, headers);
      }),
    );
    const spans = exporter.getFinishedSpans();
    expect(outline(spans).sort()).toEqual(nested);
    for (const name of names) {
      const span = spans.find((each) => each.name === `query ${name}`)?.spanContext();
      expect(received.get(`/${name}`)).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    }
  });

  it("is below the tool's own without AsyncLocalStorage, where it starts in the call's context", async () => {
    const exporter = startSdk({ contextManager: null });
    await callAll(async (name, runtime, call) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      const span = own().startSpan(`query ${name}`, {}, callContext(call, runtime));
      await query(span, name, { ...propagate(call, runtime, { kind: "http", url }) });
    });
    const spans = exporter.getFinishedSpans();
    expect(outline(spans).sort()).toEqual(nested);
    for (const name of names) {
      const span = spans.find((each) => each.name === `execute_tool ${name}`)?.spanContext();
      expect(received.get(`/${name}`)).toBe(`00-${span?.traceId}-${span?.spanId}-01`);
    }
  });

  it("is above what the tool asks of an agent inside it", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const ask = tool("ask", (_input, runtime, call) =>
      own().startActiveSpan("prepare", async (span) => {
        expect(trace.getSpan(callContext(call, runtime))).toBe(span);
        const inner = harness.begin({ agent: { name: "expert" }, parent: runtime });
        const outcome = await harness.agent(inner, () => words("42"), { messages: [] }, call);
        await outcome.final();
        await inner.end();
        span.end();
      }),
    );
    await (await harness.tool(run, ask, {})).final();
    await run.end();
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "invoke_agent expert < prepare",
      "prepare < execute_tool ask",
      "execute_tool ask",
    ]);
  });
});

describe("the context of a call", () => {
  it("is the active one where tracing does nothing, and after its run", async () => {
    const harness = new Harness();
    const run = harness.begin();
    const call: CallId = { id: "1", kind: "tool" };
    expect(callContext(call, run)).toBe(context.active());
    await run.end();
    expect(callContext(call, run)).toBe(context.active());
  });
});
