import { afterEach, describe, expect, it } from "@jest/globals";
import { context, createTraceState, propagation, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { AlwaysOffSampler, type ReadableSpan, type Sampler, SamplingDecision } from "@opentelemetry/sdk-trace-node";
import type { Plugin } from "@suite/core";
import { type Carrier, type Incoming, incomingKey, type PropagationTarget, propagate } from "@suite/core/propagation";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import type { TracingOptions } from "../src/index.js";
import { Harness, outline, redactor, spanNamed, startSdk, stopSdk, tool, words } from "./support.js";

afterEach(stopSdk);

const stdio: PropagationTarget = { kind: "mcp", transport: "stdio" };
const told = (span: ReadableSpan | undefined): string => {
  const { traceId = "", spanId = "", traceFlags = 0 } = span?.spanContext() ?? {};
  return `00-${traceId}-${spanId}-0${traceFlags}`;
};

/** The carriers in the request of one model call. */
async function carried(
  options: TracingOptions = {},
  plugins: readonly Plugin[] = [],
  behind: readonly Plugin[] = [],
): Promise<(Carrier | undefined)[]> {
  const found: (Carrier | undefined)[] = [];
  const harness = new Harness(options, plugins, behind);
  const run = harness.begin();
  const outcome = await harness.stack.call("model", run, { model: "m", messages: [], tools: [] }, async (model) => {
    found.push(propagate(model.call, run, stdio));
    model.respond({ stream: words("a") });
  });
  await outcome.final();
  await run.end();
  return found;
}

describe("what a request carries", () => {
  it.each([["with AsyncLocalStorage", {}], ["without AsyncLocalStorage", { contextManager: null }] as const])(
    "is the span of its call, %s",
    async (_, sdk) => {
      const exporter = startSdk(sdk);
      const carriers = await carried();
      const [chat] = exporter.getFinishedSpans();
      expect(carriers).toEqual([{ traceparent: told(chat) }]);
      expect(carriers[0]?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    },
  );

  it("is nothing while no provider is registered, and nobody is asked", async () => {
    const asked: PropagationTarget[] = [];
    expect(await carried({ propagateTo: (target) => asked.push(target) > 0 })).toEqual([undefined]);
    expect(asked).toEqual([]);
  });

  it("is nothing for a call without a span, in a run without spans", () => {
    startSdk();
    const run = new Harness().begin();
    expect(propagate({ id: "1", kind: "tool" }, run, stdio)).toBeUndefined();
  });

  it("contains the flag for not recorded if the trace is not sampled", async () => {
    startSdk({ sampler: new AlwaysOffSampler() });
    const [carrier] = await carried();
    expect(carrier?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it("is each attempt's span, where a layer outside of tracing tries again", async () => {
    const exporter = startSdk();
    const twice: Plugin = {
      name: "twice",
      async model(_, next) {
        await next();
        await next();
      },
    };
    const carriers = await carried({}, [], [twice]);
    const spans = exporter.getFinishedSpans();
    expect(spans).toHaveLength(2);
    expect(carriers.map((carrier) => carrier?.traceparent)).toEqual(spans.map(told));
  });

  it("is a span that was opened in between, where it is active", async () => {
    const exporter = startSdk();
    const own: Plugin = {
      name: "own",
      model: (_, next) =>
        trace.getTracer("own").startActiveSpan("cache", async (span) => {
          await next();
          span.end();
        }),
    };
    const carriers = await carried({}, [own]);
    const cache = spanNamed(exporter.getFinishedSpans(), "cache");
    expect(carriers[0]?.traceparent).toBe(told(cache));
    expect(outline(exporter.getFinishedSpans())).toEqual(["cache < chat m", "chat m"]);
  });

  it("is not the span of an aborted run before it, in the same flow of the program", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const aborting = new AbortController();
    const run = harness.begin({ signal: aborting.signal });
    const outcome = await harness.agent(run, async function* () {
      yield* words("a");
      aborting.abort();
      await new Promise(() => {});
    });
    await expect(outcome.final()).rejects.toThrow();
    const carriers = await carried();
    const [aborted, next] = exporter.getFinishedSpans();
    expect(carriers[0]?.traceparent).toBe(told(next));
    expect(next?.spanContext().traceId).not.toBe(aborted?.spanContext().traceId);
    expect(next?.parentSpanContext).toBeUndefined();
    await run.end();
  });

  const withState = (state: string): Sampler => ({
    shouldSample: () => ({
      decision: SamplingDecision.RECORD_AND_SAMPLED,
      traceState: createTraceState().set("vendor", state),
    }),
    toString: () => "with state",
  });

  it("has the trace state, unless that could stand in no header", async () => {
    startSdk({ sampler: withState("x1") });
    expect((await carried())[0]?.tracestate).toBe("vendor=x1");
    for (const state of ["x\r\ny: z", "ü", "x".repeat(600)]) {
      stopSdk();
      startSdk({ sampler: withState(state) });
      expect(Object.keys((await carried())[0] ?? {})).toEqual(["traceparent"]);
    }
  });
});

describe("baggage", () => {
  const withBaggage = (entries: Record<string, { value: string }>, options: TracingOptions, plugins: Plugin[] = []) =>
    context.with(propagation.setBaggage(ROOT_CONTEXT, propagation.createBaggage(entries)), async () => {
      const [carrier] = await carried(options, plugins);
      return carrier;
    });

  it("stays here unless asked for, also with a propagator registered that would send it", async () => {
    startSdk();
    expect(propagation.fields()).toContain("baggage");
    const carrier = await withBaggage({ tenant: { value: "acme" } }, {});
    expect(Object.keys(carrier ?? {})).toEqual(["traceparent"]);
  });

  it("is propagated to the configured targets, in W3C's format", async () => {
    startSdk();
    const entries = { tenant: { value: "acme & söhne" }, "half\ud800": { value: "x\r\ny: z" } };
    const carrier = await withBaggage(entries, { baggage: true });
    expect(carrier?.baggage).toBe("tenant=acme%20%26%20s%C3%B6hne,half%EF%BF%BD=x%0D%0Ay%3A%20z");
    const read = propagation.getBaggage(propagation.extract(ROOT_CONTEXT, carrier));
    expect(read?.getEntry("tenant")?.value).toBe("acme & söhne");
  });

  it("is none where there is none", async () => {
    startSdk();
    expect(Object.keys((await carried({ baggage: true }))[0] ?? {})).toEqual(["traceparent"]);
  });

  it("goes only to whom the trace is told", async () => {
    startSdk();
    expect(
      await withBaggage({ tenant: { value: "acme" } }, { baggage: true, propagateTo: () => false }),
    ).toBeUndefined();
  });

  it("is redacted, names and values", async () => {
    startSdk();
    const entries = { "a@example.com": { value: "b@example.com" } };
    const carrier = await withBaggage(entries, { baggage: true }, [{ name: "redacts", redactor }]);
    expect(decodeURIComponent(carrier?.baggage ?? "")).toBe("[EMAIL]=[EMAIL]");
  });

  it("is limited", async () => {
    startSdk();
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, { value: "v" }]));
    expect((await withBaggage(many, { baggage: true }))?.baggage?.split(",")).toHaveLength(64);
    const long = { a: { value: "x".repeat(9000) }, b: { value: "y" } };
    expect((await withBaggage(long, { baggage: true }))?.baggage).toBe("b=y");
  });
});

const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;

/** A run that answers a request which brought this along. */
async function answering(incoming: Incoming | undefined): Promise<void> {
  const harness = new Harness();
  const run = harness.begin();
  if (incoming !== undefined) run.set(incomingKey, incoming);
  const outcome = await harness.agent(run, async function* (call) {
    yield* await harness.chat(run, () => words("a"), call);
  });
  await outcome.final();
  await run.end();
}
const linksOf = (span: ReadableSpan) => span.links.map((link) => [link.context, link.attributes]);

describe("a run that somebody called", () => {
  it("is a trace of its own, linked with the caller's", async () => {
    const exporter = startSdk();
    await answering({ carrier: { traceparent, tracestate: "vendor=x" } });
    const [chat, agent] = exporter.getFinishedSpans();
    expect(outline(exporter.getFinishedSpans())).toEqual(["chat gpt-5 < invoke_agent support", "invoke_agent support"]);
    expect(agent?.spanContext().traceId).not.toBe(caller.traceId);
    expect(linksOf(agent as ReadableSpan)).toEqual([
      [{ ...caller, traceFlags: 1, isRemote: true }, { "suite.link": "called_by" }],
    ]);
    expect(chat?.links).toEqual([]);
  });

  it("is not left out because the caller says so", async () => {
    const exporter = startSdk();
    await answering({ carrier: { traceparent: traceparent.replace(/01$/, "00") } });
    expect(exporter.getFinishedSpans()).toHaveLength(2);
  });

  it.each<[string, Incoming["carrier"]]>([
    ["headers as Node has them", { traceparent, tracestate: "vendor=x", host: "localhost" }],
    ["Headers", new Headers({ Traceparent: traceparent, TraceState: "vendor=x" })],
  ])("is the caller's child where that is trusted: %s", async (_, carrier) => {
    const exporter = startSdk();
    await answering({ carrier, trusted: true });
    const agent = spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
    expect(agent.spanContext().traceId).toBe(caller.traceId);
    expect(agent.parentSpanContext).toMatchObject({ ...caller, isRemote: true });
    expect(agent.spanContext().traceState?.get("vendor")).toBe("x");
    expect(agent.links).toEqual([]);
  });

  it("follows the caller's sampling decision if it is trusted", async () => {
    const exporter = startSdk();
    await answering({ carrier: { traceparent: traceparent.replace(/01$/, "00") }, trusted: true });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it.each([true, false])("stays below the program's own span; trusted: %p", async (trusted) => {
    const exporter = startSdk();
    const own = trace.getTracer("own");
    await own.startActiveSpan("GET /ask", async (span) => {
      await answering({ carrier: { traceparent }, trusted });
      span.end();
    });
    const agent = spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
    expect(outline([...exporter.getFinishedSpans()])).toContain("invoke_agent support < GET /ask");
    expect(linksOf(agent)).toEqual([[expect.objectContaining(caller), { "suite.link": "called_by" }]]);
  });

  it("is not linked with the trace that it is in already", async () => {
    const exporter = startSdk();
    const remote = propagation.extract(ROOT_CONTEXT, { traceparent });
    await context.with(remote, () => answering({ carrier: { traceparent } }));
    const agent = spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
    expect(agent.parentSpanContext?.spanId).toBe(caller.spanId);
    expect(agent.links).toEqual([]);
  });

  it("takes a version of the standard that is still to come", async () => {
    const exporter = startSdk();
    await answering({ carrier: { traceparent: `cc-${caller.traceId}-${caller.spanId}-01-what-else` }, trusted: true });
    expect(exporter.getFinishedSpans()[0]?.spanContext().traceId).toBe(caller.traceId);
  });

  const broken: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["null", null],
    ["a text", traceparent],
    ["no entry", {}],
    ["several", { traceparent: [traceparent, traceparent] }],
    ["two in one", { traceparent: `${traceparent}, ${traceparent}` }],
    ["zeros", { traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01` }],
    ["no span", { traceparent: `00-${caller.traceId}-${"0".repeat(16)}-01` }],
    ["upper case", { traceparent: traceparent.toUpperCase() }],
    ["the version that is none", { traceparent: traceparent.replace(/^00/, "ff") }],
    ["more than version 00 has", { traceparent: `${traceparent}-more` }],
    ["too much", { traceparent: `cc-${caller.traceId}-${caller.spanId}-01-${"x".repeat(1e6)}` }],
    [
      "what throws",
      {
        get traceparent() {
          throw new Error("no");
        },
      },
    ],
    ["a getter of its own that throws", { get: () => JSON.parse("") }],
    ["a revoked proxy", revoked()],
  ];
  it.each(broken)("starts without a parent if the received context is %s", async (_, carrier) => {
    const exporter = startSdk();
    await answering({ carrier: carrier as Incoming["carrier"], trusted: true });
    const agent = spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
    expect(agent.parentSpanContext).toBeUndefined();
    expect(agent.links).toEqual([]);
  });

  it.each([
    ["is too long", `a=${"x".repeat(600)}`],
    ["could stand in no header", "a=\r\nb"],
    ["is no text", ["a=b"]],
  ])("does without a trace state that %s", async (_, tracestate) => {
    const exporter = startSdk();
    await answering({ carrier: { traceparent, tracestate }, trusted: true });
    const [chat] = exporter.getFinishedSpans();
    expect(chat?.spanContext().traceId).toBe(caller.traceId);
    expect(chat?.spanContext().traceState).toBeUndefined();
  });

  it("goes on whatever was sent", async () => {
    const entry = fc.oneof(fc.anything(), fc.string({ unit: "binary" }), fc.constant(traceparent));
    const carrier = fc.oneof(fc.anything(), fc.record({ traceparent: entry, tracestate: entry, get: fc.anything() }));
    await fc.assert(
      fc.asyncProperty(carrier, fc.boolean(), async (given, trusted) => {
        const exporter = startSdk();
        await answering({ carrier: given as Incoming["carrier"], trusted });
        expect(exporter.getFinishedSpans()).toHaveLength(2);
        stopSdk();
      }),
      { numRuns: runs(100) },
    );
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("a tool behind MCP", () => {
  /** The client's side: a tool of an agent which asks the server. What it sends is JSON. */
  const asking = async (server: (request: string) => Promise<unknown>, options: TracingOptions = {}) => {
    const harness = new Harness(options);
    const run = harness.begin();
    const remote = tool("refund", (input, runtime, call) => {
      const carrier = propagate(call, runtime, { kind: "mcp", transport: "http", url: "http://localhost:3000/mcp" });
      const params = { name: "refund", arguments: input, _meta: { progressToken: 1, ...carrier } };
      return server(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
    });
    const outcome = await harness.agent(run, async function* (call) {
      await (await harness.tool(run, remote, { eur: 5 }, call)).final();
      yield* words("done");
    });
    await outcome.final();
    await run.end();
  };
  /** The server's side, in a process of its own for all it knows: a run of one tool call. */
  const serving =
    (trusted: boolean, seen: unknown[] = []) =>
    (request: string): Promise<unknown> =>
      context.with(ROOT_CONTEXT, async () => {
        const { params } = JSON.parse(request);
        seen.push(params._meta);
        const harness = new Harness();
        const run = harness.begin({ agent: { name: "payments" } });
        run.set(incomingKey, { carrier: params._meta, trusted });
        const outcome = await harness.tool(
          run,
          tool("pay", () => "paid"),
          params.arguments,
        );
        const result = await outcome.final();
        await run.end();
        return result;
      });

  it("is below the call of the client, in one trace, where the client is trusted", async () => {
    const exporter = startSdk();
    await asking(serving(true));
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "execute_tool pay < execute_tool refund",
      "execute_tool refund < invoke_agent support",
      "invoke_agent support",
    ]);
  });

  it("is linked with the call of the client where the client is not", async () => {
    const exporter = startSdk();
    await asking(serving(false));
    const spans = exporter.getFinishedSpans();
    const [pay, refund] = [spanNamed(spans, "execute_tool pay"), spanNamed(spans, "execute_tool refund")];
    expect(pay.parentSpanContext).toBeUndefined();
    expect(pay.links.map((link) => link.context.spanId)).toEqual([refund.spanContext().spanId]);
  });

  it("receives the trace under MCP's names, next to other fields", async () => {
    startSdk();
    const seen: unknown[] = [];
    await asking(serving(true, seen));
    await asking(serving(true, seen), { propagateTo: () => false });
    expect(seen).toEqual([{ progressToken: 1, traceparent: expect.any(String) }, { progressToken: 1 }]);
  });
});
