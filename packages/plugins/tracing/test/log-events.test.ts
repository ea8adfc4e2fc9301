import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { LoggerProvider } from "@opentelemetry/sdk-logs";
import { AlwaysOffSampler, type InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
import { MiddlewareTermination, type Plugin } from "@suite/core";
import {
  type EventLoggerProvider,
  type EventSignal,
  TracingError,
  type TracingOptions,
  tracing,
} from "../src/index.js";
import { registeredLoggerProvider } from "../src/logs/logger.js";
import { Logging } from "./logging.js";
import { Harness, modelRequest, redactor, reply, spanNamed, startSdk, stopSdk, tool, words } from "./support.js";

const DETAILS = "gen_ai.client.inference.operation.details";
const MODEL_EXCEPTION = "gen_ai.client.inference.exception";
const CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const EXCEPTIONS = "OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN";

let spans: InMemorySpanExporter;
const warn = jest.fn<(message: string) => void>();
const complaints: unknown[] = [];
beforeEach(() => {
  spans = startSdk();
  const complain = (...said: unknown[]) => void complaints.push(said);
  const logger = { error: complain, warn: complain, info: () => {}, debug: () => {}, verbose: () => {} };
  diag.setLogger(logger, DiagLogLevel.WARN);
});
afterEach(() => {
  diag.disable();
  stopSdk();
  logs.disable();
  delete process.env[CONTENT];
  delete process.env[EXCEPTIONS];
  warn.mockClear();
  expect(complaints.splice(0)).toEqual([]);
});

const harness = (options: TracingOptions = {}, plugins: readonly Plugin[] = []) =>
  new Harness({ warn, ...options }, plugins);
const said = () => warn.mock.calls.map(([message]) => message);
const eventsOf = (name: string) => spanNamed(spans.getFinishedSpans(), name).events.map((event) => event.name);
const idsOf = (name: string) => {
  const { traceId, spanId } = spanNamed(spans.getFinishedSpans(), name).spanContext();
  return { traceId, spanId };
};

/** An agent whose model fails, which it does not survive; a limit is told of meanwhile. */
async function failing(options: TracingOptions = {}, error: unknown = new RangeError("no answer")): Promise<void> {
  const each = harness(options);
  const run = each.begin();
  const outcome = await each.agent(run, async function* (call) {
    run.notify({ type: "limit", limit: "rounds", maximum: 8, call });
    const core = () => Promise.reject(error);
    yield* words("never", String(await each.stack.call("model", run, modelRequest(), core, call)));
  });
  await outcome.final().catch(() => {});
  await run.end();
}

async function chat(each: Harness, changes: Parameters<typeof modelRequest>[0] = {}): Promise<void> {
  const run = each.begin();
  const core = async (m: { respond(answer: { value: ReturnType<typeof reply> }): void }) =>
    m.respond({ value: reply("hi ann@example.com") });
  await (await each.stack.call("model", run, modelRequest(changes), core)).final();
  await run.end();
}

describe("where events go", () => {
  it.each<[EventSignal | undefined, string | undefined, { span: string[]; model: string[]; log: string[] }]>([
    [undefined, undefined, { span: ["suite.limit", "exception"], model: ["exception"], log: [] }],
    [undefined, "none of these", { span: ["suite.limit", "exception"], model: ["exception"], log: [] }],
    [undefined, " LOGS ", { span: ["suite.limit"], model: [], log: [MODEL_EXCEPTION] }],
    [undefined, "logs/dup", { span: ["suite.limit", "exception"], model: ["exception"], log: [MODEL_EXCEPTION] }],
    ["span", "logs", { span: ["suite.limit", "exception"], model: ["exception"], log: [] }],
    ["log", undefined, { span: [], model: [], log: ["suite.limit", MODEL_EXCEPTION, DETAILS] }],
    [
      "both",
      "logs",
      { span: ["suite.limit", "exception"], model: ["exception"], log: ["suite.limit", MODEL_EXCEPTION, DETAILS] },
    ],
  ])(
    "follow the option in code, or else the variable for exceptions: events %s, variable %s",
    async (events, variable, expected) => {
      const logging = new Logging().register();
      if (variable !== undefined) process.env[EXCEPTIONS] = variable;
      await failing(events === undefined ? {} : { events });
      expect(eventsOf("invoke_agent support")).toEqual(expected.span);
      expect(eventsOf("chat gpt-5")).toEqual(expected.model);
      expect(logging.names).toEqual(expected.log);
      expect(said()).toEqual([]);
    },
  );

  it("refuses what is none of them", () => {
    expect(() => tracing({ events: "logs" as EventSignal })).toThrow(TracingError);
  });

  it("is the span, with one warning, while no logger provider is registered, and the log from then on", async () => {
    const each = harness({ events: "log" });
    const tell = async () => {
      const run = each.begin();
      const outcome = await each.agent(run, async function* () {
        run.notify({ type: "limit", limit: "rounds", maximum: 8 });
        yield* words("ok");
      });
      await outcome.final();
      const [last] = spans.getFinishedSpans().slice(-1);
      return last?.events.map(({ name }) => name);
    };
    expect(await tell()).toEqual(["suite.limit"]);
    expect(await tell()).toEqual(["suite.limit"]);
    await chat(each);
    expect(said()).toEqual([expect.stringContaining("no logger provider")]);
    const logging = new Logging().register();
    expect(await tell()).toEqual([]);
    expect(logging.names).toEqual(["suite.limit"]);
  });

  it("is a logger provider of one's own before the one that is registered", async () => {
    const registered = new Logging().register();
    const own = new Logging();
    await failing({ events: "log", loggerProvider: own.provider });
    expect(own.names).toContain(DETAILS);
    expect(registered.names).toEqual([]);
  });
});

describe("the logs API", () => {
  it("is the real one, by its types", () => {
    const providers: EventLoggerProvider[] = [new LoggerProvider(), logs.getLoggerProvider()];
    expect(providers).toHaveLength(2);
  });

  it("is asked for what is registered, without being imported", () => {
    expect(registeredLoggerProvider()).toBeUndefined();
    const { provider } = new Logging().register();
    expect(registeredLoggerProvider()).toBe(provider);
    expect(logs.getLoggerProvider()).toBe(provider);
    logs.disable();
    expect(registeredLoggerProvider()).toBeUndefined();
  });

  it("is not taken for what it is not", () => {
    const key = Symbol.for("io.opentelemetry.js.api.logs");
    for (const odd of [{}, () => undefined, () => ({}), () => ({ getLogger: 1 })]) {
      Reflect.set(globalThis, key, odd);
      expect(registeredLoggerProvider()).toBeUndefined();
    }
    Reflect.deleteProperty(globalThis, key);
  });
});

describe("an exception in logs", () => {
  it("is an event in the context of the span that it ended, as the conventions have it", async () => {
    const logging = new Logging().register();
    await failing({ events: "log" });
    const { spanContext, severityNumber, severityText, attributes, hrTime, instrumentationScope } =
      logging.named(MODEL_EXCEPTION);
    expect(spanContext).toMatchObject(idsOf("chat gpt-5"));
    expect({ severityNumber, severityText }).toEqual({ severityNumber: 13, severityText: undefined });
    expect(attributes).toEqual({
      "exception.type": "RangeError",
      "exception.message": "no answer",
      "exception.stacktrace": expect.stringContaining("RangeError: no answer"),
    });
    expect(Math.abs(hrTime[0] - Date.now() / 1000)).toBeLessThan(60);
    expect(instrumentationScope).toMatchObject({
      name: "@suite/tracing",
      schemaUrl: expect.stringContaining("gen-ai"),
    });
  });

  it("has no convention's name where there is none, and is redacted", async () => {
    const logging = new Logging().register();
    const each = harness({ events: "log" }, [{ name: "guard", redactor }]);
    const run = each.begin();
    const failure = {
      code: "E_ANN",
      message: "of ann@example.com",
      stack: "at ann@example.com",
      cause: "ann@example.com",
    };
    await each
      .tool(
        run,
        tool("add", () => Promise.reject(failure)),
        {},
      )
      .catch(() => {});
    await run.end();
    const { attributes, severityNumber } = logging.named("exception");
    expect(attributes).toEqual({
      "exception.type": "E_ANN",
      "exception.message": "of [EMAIL]",
      "exception.stacktrace": "at [EMAIL]",
    });
    expect(severityNumber).toBe(13);
  });

  it("is recorded once, at its origin, although it passes through several runs, and on each span as before", async () => {
    const logging = new Logging().register();
    const each = harness({ events: "both" });
    const outer = each.begin();
    const error = new Error("from below");
    const outcome = await each.agent(outer, async function* (call) {
      const inner = tool("sub", async (_input, runtime, id) => {
        const run = each.begin({ parent: runtime, agent: { name: "sub" } });
        const core = () => Promise.reject(error);
        await each.stack.call("agent", run, { messages: [] }, core, id).finally(() => run.end());
      });
      await each.tool(outer, inner, {}, call);
      yield* words("never");
    });
    await outcome.final().catch(() => {});
    await outer.end();
    expect(logging.names).toEqual(["exception"]);
    expect(logging.named("exception").spanContext).toMatchObject(idsOf("invoke_agent sub"));
    for (const name of ["invoke_agent sub", "execute_tool sub", "invoke_agent support"]) {
      expect(eventsOf(name)).toEqual(["exception"]);
    }
  });

  it("is recorded each time that something else is thrown", async () => {
    const logging = new Logging().register();
    const each = harness({ events: "log" });
    const run = each.begin();
    for (const error of [new Error("1"), new Error("2"), "text", "text"]) {
      await each
        .tool(
          run,
          tool("add", () => Promise.reject(error)),
          {},
        )
        .catch(() => {});
    }
    await run.end();
    expect(logging.names).toEqual(Array(4).fill("exception"));
  });

  it("is none where a guard ended the call", async () => {
    const logging = new Logging().register();
    await failing({ events: "log" }, new MiddlewareTermination("enough"));
    expect(logging.names).toEqual(["suite.limit", DETAILS]);
  });

  it("is recorded whether or not the trace is sampled", async () => {
    stopSdk();
    startSdk({ sampler: new AlwaysOffSampler() });
    const logging = new Logging().register();
    process.env[EXCEPTIONS] = "logs";
    await failing();
    expect(logging.names).toEqual([MODEL_EXCEPTION]);
    expect(logging.named(MODEL_EXCEPTION).spanContext).toMatchObject({ traceFlags: 0 });
  });
});

describe("what is told beside the call path", () => {
  it("is a log record with the same attributes, redacted, and a severity", async () => {
    const logging = new Logging().register();
    const each = harness({ events: "log" }, [{ name: "guard", redactor }]);
    const run = each.begin();
    const outcome = await each.agent(run, async function* () {
      const told = { plugin: "pii", place: "input", decision: "block", enforced: true } as const;
      run.notify({ type: "guardrail", ...told });
      run.notify({ type: "approval", toolCallId: "c1", toolName: "add", decision: "approved", by: "ann@example.com" });
      run.notify({ type: "fault", where: "settle", error: new TypeError("of ann@example.com") });
      yield* words("ok");
    });
    await outcome.final();
    const found = logging.records.map(({ eventName, severityNumber, attributes }) => [
      eventName,
      severityNumber,
      attributes,
    ]);
    expect(found).toEqual([
      ["suite.guardrail", 9, expect.objectContaining({ "suite.guardrail.decision": "block" })],
      ["suite.approval", 9, expect.objectContaining({ "suite.approval.by": "[EMAIL]" })],
      ["suite.fault", 13, expect.objectContaining({ "exception.message": "of [EMAIL]" })],
    ]);
    for (const { spanContext } of logging.records) expect(spanContext).toMatchObject(idsOf("invoke_agent support"));
  });
});
