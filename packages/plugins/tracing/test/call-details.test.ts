import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { logs } from "@opentelemetry/api-logs";
import { AlwaysOffSampler, type InMemorySpanExporter } from "@opentelemetry/sdk-trace-node";
import type { Delta, Plugin, Reply, Tool } from "@suite/core";
import type { EventLogger, EventRecord, TracingOptions } from "../src/index.js";
import { Logging } from "./logging.js";
import { Harness, modelRequest, redactor, reply, spanNamed, startSdk, stopSdk, tool, user, words } from "./support.js";

const DETAILS = "gen_ai.client.inference.operation.details";
const CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
const KEYS = [
  "gen_ai.system_instructions",
  "gen_ai.input.messages",
  "gen_ai.tool.definitions",
  "gen_ai.output.messages",
] as const;

let spans: InMemorySpanExporter;
let logging: Logging;
const warn = jest.fn<(message: string) => void>();
const complaints: unknown[] = [];
beforeEach(() => {
  spans = startSdk();
  logging = new Logging().register();
  const complain = (...said: unknown[]) => void complaints.push(said);
  const logger = { error: complain, warn: complain, info: () => {}, debug: () => {}, verbose: () => {} };
  diag.setLogger(logger, DiagLogLevel.WARN);
});
afterEach(() => {
  diag.disable();
  stopSdk();
  logs.disable();
  delete process.env[CONTENT];
  warn.mockClear();
  expect(complaints.splice(0)).toEqual([]);
});

const harness = (options: TracingOptions = {}, plugins: readonly Plugin[] = []) =>
  new Harness({ warn, ...options }, plugins);
const system = { role: "system", parts: [{ type: "text", content: "Be brief." }] } as const;
const tools: readonly Tool[] = [{ ...tool("add"), description: "Adds.", parameters: { type: "object" } }];
const asked = { messages: [system, user("I am ann@example.com")], tools };

async function chat(each: Harness, value: Reply = reply("hi ann@example.com")): Promise<void> {
  const run = each.begin();
  await (await each.stack.call("model", run, modelRequest(asked), async (m) => m.respond({ value }))).final();
  await run.end();
}
const span = () => spanNamed(spans.getFinishedSpans(), "chat gpt-5");
const record = () => logging.named(DETAILS);

describe("the details of a model call", () => {
  it("are one event in the context of its span, with the attributes of the span, without content", async () => {
    await chat(harness({ events: "log" }));
    const { attributes, spanContext, severityNumber, body } = record();
    expect(attributes).toEqual(span().attributes);
    expect(attributes).toMatchObject({ "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 3 });
    expect(spanContext).toEqual(span().spanContext());
    expect([severityNumber, body]).toEqual([5, undefined]);
    expect(logging.names).toEqual([DETAILS]);
    expect(span().events).toEqual([]);
  });

  it("come when a streamed answer has ended, not before, with the time to its first chunk", async () => {
    const each = harness({ events: "both" });
    const run = each.begin();
    const outcome = await each.chat(run, () => words("a", "b"));
    const deltas: Delta[] = [];
    for await (const delta of outcome) {
      deltas.push(delta);
      expect(logging.names).toEqual([]);
    }
    await run.end();
    expect(deltas).toHaveLength(3);
    expect(record().attributes).toEqual(span().attributes);
    expect(record().attributes["gen_ai.response.time_to_first_chunk"]).toEqual(expect.any(Number));
  });

  it("come of a call that failed, was aborted or never returned, once", async () => {
    const each = harness({ events: "log" });
    for (const abort of [undefined, new AbortController()]) {
      const run = each.begin(abort && { signal: abort.signal });
      const core = () => {
        abort?.abort();
        return Promise.reject(abort?.signal.reason ?? new RangeError("no"));
      };
      await each.stack.call("model", run, modelRequest(), core).catch(() => {});
      await run.end();
    }
    const run = each.begin();
    void each.stack.call("model", run, modelRequest(), () => new Promise(() => {})).catch(() => {});
    await new Promise(setImmediate);
    await run.end();
    const details = logging.records.filter(({ eventName }) => eventName === DETAILS);
    expect(details.map(({ attributes }) => attributes["error.type"])).toEqual(["RangeError", "AbortError", undefined]);
    expect(details.every(({ attributes }) => attributes["gen_ai.request.model"] === "gpt-5")).toBe(true);
    expect(details.map(({ spanContext }) => spanContext?.spanId)).toEqual(
      spans.getFinishedSpans().map((each) => each.spanContext().spanId),
    );
  });

  it("come of each attempt, and of no other kind of call", async () => {
    const again: Plugin = {
      name: "again",
      model: async (_, callNext) => {
        await callNext().catch(() => {});
        await callNext();
      },
    };
    const each = new Harness({ events: "log", warn }, [], [again]);
    const run = each.begin();
    let tries = 0;
    const core = async (m: { respond(answer: { value: Reply }): void }) => {
      if (tries++ === 0) throw new Error("busy");
      m.respond({ value: reply("ok") });
    };
    await (await each.stack.call("model", run, modelRequest(), core)).final();
    await (
      await each.tool(
        run,
        tool("add", () => 1),
        {},
      )
    ).final();
    await run.end();
    expect(logging.names.filter((name) => name === DETAILS)).toHaveLength(2);
  });

  it("do not depend on the sampling of the trace", async () => {
    stopSdk();
    startSdk({ sampler: new AlwaysOffSampler() });
    await chat(harness({ events: "log", content: "full" }));
    expect(record().attributes).toMatchObject({
      "gen_ai.request.model": "gpt-5",
      "gen_ai.response.id": "resp-1",
      "gen_ai.input.messages": [user("I am ann@example.com")],
    });
  });

  it("are not written for a logger that drops them", async () => {
    const emitted: EventRecord[] = [];
    const asks: unknown[] = [];
    const logger: EventLogger = {
      emit: (event) => void emitted.push(event),
      enabled(event) {
        asks.push([event.eventName, event.severityNumber]);
        return false;
      },
    };
    const value = jest.fn(redactor.value);
    const each = harness({ events: "log", content: "full", loggerProvider: { getLogger: () => logger } }, [
      { name: "guard", redactor: { redact: redactor.redact, value } },
    ]);
    stopSdk();
    startSdk({ sampler: new AlwaysOffSampler() });
    await chat(each);
    expect(asks).toEqual([[DETAILS, 5]]);
    expect(emitted).toEqual([]);
    expect(value).not.toHaveBeenCalled();
  });

  it("disturb neither the call nor its span where a logger throws", async () => {
    const broken = {
      emit: () => {
        throw new Error("full disk");
      },
    };
    await chat(harness({ events: "log", loggerProvider: { getLogger: () => broken } }));
    expect(span().ended).toBe(true);
    expect(complaints.splice(0)).toHaveLength(1);
  });
});

describe("content on that event", () => {
  it("has the form of the schemas, structured, through the redactor", async () => {
    await chat(harness({ events: "log", content: "redacted" }, [{ name: "guard", redactor }]));
    expect(record().attributes).toMatchObject({
      "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
      "gen_ai.input.messages": [user("I am [EMAIL]")],
      "gen_ai.tool.definitions": [
        { type: "function", name: "add", description: "Adds.", parameters: { type: "object" } },
      ],
      "gen_ai.output.messages": [{ role: "assistant", parts: [{ type: "text", content: "hi [EMAIL]" }] }],
    });
    for (const key of KEYS) expect(JSON.parse(String(span().attributes[key]))).toEqual(record().attributes[key]);
  });

  it.each([
    [undefined, false, false],
    ["false", false, false],
    ["no_content", false, false],
    ["true", true, false],
    ["SPAN_ONLY", true, false],
    ["event_only", false, true],
    ["Span_And_Event", true, true],
  ])("is recorded if the variable enables it and code sets nothing: %s", async (value, onSpan, onEvent) => {
    if (value !== undefined) process.env[CONTENT] = value;
    await chat(harness());
    expect(KEYS.filter((key) => key in span().attributes)).toEqual(onSpan ? KEYS : []);
    expect(logging.names).toEqual(onEvent ? [DETAILS] : []);
    if (onEvent) expect(record().attributes).toHaveProperty([KEYS[1]], [user("I am ann@example.com")]);
  });

  it.each<[TracingOptions, string, boolean, boolean]>([
    [{ content: "none" }, "span_and_event", false, false],
    [{ content: "full" }, "event_only", true, false],
    [{ content: "full", events: "log" }, "event_only", true, true],
    [{ events: "log" }, "true", true, true],
    [{ events: "log" }, "span_only", true, false],
    [{ events: "span" }, "span_and_event", true, false],
  ])(
    "is recorded if code enables it, whatever the variable contains: %j, %s",
    async (options, value, onSpan, onEvent) => {
      process.env[CONTENT] = value;
      await chat(harness(options));
      expect("gen_ai.input.messages" in span().attributes).toBe(onSpan);
      expect(logging.records.some(({ attributes }) => "gen_ai.input.messages" in attributes)).toBe(onEvent);
    },
  );

  it("is reported as lost if the variable enables events, and code disables them", async () => {
    process.env[CONTENT] = "event_only";
    await chat(harness({ events: "span" }));
    expect(logging.names).toEqual([]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(CONTENT)]]);
  });

  it("leaves tools and agents without, where it is asked for on events alone", async () => {
    process.env[CONTENT] = "event_only";
    const each = harness();
    const run = each.begin();
    await (
      await each.tool(
        run,
        tool("add", () => "secret"),
        { secret: 1 },
      )
    ).final();
    await run.end();
    expect(JSON.stringify(spanNamed(spans.getFinishedSpans(), "execute_tool add").attributes)).not.toContain("secret");
  });

  it("stays within the limit, and says so", async () => {
    const messages = Array.from({ length: 50 }, (_, i) => user(`${i} ${"x".repeat(100)}`));
    const each = harness({ events: "log", content: "full", contentLimit: 1000 });
    const run = each.begin();
    const core = async (m: { respond(answer: { value: Reply }): void }) => m.respond({ value: reply("ok") });
    await (await each.stack.call("model", run, modelRequest({ messages }), core)).final();
    await run.end();
    const { attributes } = record();
    expect(JSON.stringify(attributes["gen_ai.input.messages"]).length).toBeLessThanOrEqual(1000);
    expect(attributes["gen_ai.input.messages"]).toEqual(expect.arrayContaining([messages.at(-1)]));
    expect(attributes["suite.content.truncated"]).toBe(true);
  });

  it("is kept whatever names a model gives its arguments", async () => {
    const input = JSON.parse('{"constructor":"x","__proto__":{"a":1},"to":{"constructor":1}}');
    const part = { type: "tool_call", id: "c1", name: "add", arguments: input } as const;
    await chat(harness({ events: "log", content: "full" }), { message: { role: "assistant", parts: [part] } });
    const sent = JSON.stringify(record().attributes["gen_ai.output.messages"]);
    expect(JSON.parse(sent)[0].parts[0].arguments).toEqual({
      constructor_: "x",
      __proto___: { a: 1 },
      to: { constructor_: 1 },
    });
  });
});
