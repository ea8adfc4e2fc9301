import { afterEach, describe, expect, it } from "@jest/globals";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import { type Invocation, override, type Plugin, type Reply } from "@suite/core";
import type { AttemptNotification } from "@suite/core/contract";
import { Metering } from "./metering.js";
import {
  Harness,
  hrTimeToMs,
  modelRequest,
  outline,
  redactor,
  reply,
  spanNamed,
  startSdk,
  stopSdk,
  tool,
  words,
} from "./support.js";

afterEach(stopSdk);

const retry = (times: number, name = "retry"): Plugin => ({
  name,
  async model(call, next) {
    for (let left = times; ; left--) {
      try {
        await next();
        return await call.result?.ready();
      } catch (error) {
        if (left === 0) throw error;
      }
    }
  },
  tool: (_, next) => next().catch(next),
});
const overloaded = () => Object.assign(new Error("for ann@example.com"), { code: "ERR_OVERLOADED" });
/** A model that fails so often, in its stream or before it. */
const flaky =
  (fails: number, how: "throws" | "breaks" = "throws") =>
  async (model: Invocation<"model">): Promise<void> => {
    const failing = fails-- > 0;
    if (failing && how === "throws") throw overloaded();
    const broken = async function* () {
      yield* [];
      throw overloaded();
    };
    model.respond({ stream: failing ? broken() : words("hello") });
  };
const chat = async (harness: Harness, core: (model: Invocation<"model">) => Promise<void>): Promise<Reply> => {
  const run = harness.begin();
  const outcome = await harness.stack.call("model", run, modelRequest(), core);
  const final = await outcome.final();
  await run.end();
  return final;
};
const attempts = (spans: readonly ReadableSpan[]) => spans.filter(({ attributes }) => "suite.attempt" in attributes);

describe("a retry inside", () => {
  it.each(["throws", "breaks"] as const)(
    "shows each failed attempt as a span below the call's, with its error and its own times: a model that %s",
    async (how) => {
      const exporter = startSdk();
      const told: AttemptNotification[] = [];
      const listener: Plugin = {
        name: "listener",
        observe: (each) => void (each.type === "attempt" && told.push(each)),
      };
      await chat(new Harness({}, [retry(2), listener]), flaky(2, how));
      const spans = exporter.getFinishedSpans();
      expect(outline(spans)).toEqual(["chat gpt-5 < chat gpt-5", "chat gpt-5 < chat gpt-5", "chat gpt-5"]);
      expect(attempts(spans)).toHaveLength(2);
      for (const [index, span] of attempts(spans).entries()) {
        expect(span).toMatchObject({
          kind: SpanKind.CLIENT,
          status: { code: SpanStatusCode.ERROR },
          attributes: {
            "suite.attempt": index + 1,
            "error.type": "ERR_OVERLOADED",
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": "gpt-5",
            "gen_ai.conversation.id": "conversation-1",
            "session.id": "conversation-1",
          },
        });
        expect(span.events.map(({ name }) => name)).toEqual(["exception"]);
        expect(hrTimeToMs(span.startTime)).toBeCloseTo(told[index]?.startedAt ?? 0, 2);
        expect(hrTimeToMs(span.endTime)).toBeCloseTo(told[index]?.endedAt ?? 0, 2);
      }
      const whole = spans.at(-1);
      expect(whole?.status.code).toBe(SpanStatusCode.UNSET);
      expect(whole?.attributes).toMatchObject({ "gen_ai.usage.input_tokens": 3 });
      expect(whole?.events).toEqual([]);
    },
  );

  it("records the usage of an attempt whose answer was discarded, and on the call the usage of the last attempt", async () => {
    const exporter = startSdk();
    const picky: Plugin = {
      name: "picky",
      async model(call, next) {
        await next();
        if ((await call.result?.final())?.usage?.inputTokens === 70) await next();
      },
    };
    let inputTokens = 70;
    await chat(new Harness({}, [picky]), async (model) => {
      model.respond({ value: { ...reply("hm"), usage: { inputTokens, outputTokens: 1 } } });
      inputTokens = 8;
    });
    const [attempt, whole] = exporter.getFinishedSpans();
    expect([attempt, whole].map((span) => span?.attributes["gen_ai.usage.input_tokens"])).toEqual([70, 8]);
    expect(attempt?.status.code).toBe(SpanStatusCode.UNSET);
    expect(attempts(exporter.getFinishedSpans())).toEqual([attempt]);
  });

  it("shows it also of an answer that nobody read", async () => {
    const exporter = startSdk();
    const twice: Plugin = {
      name: "twice",
      async model(_, next) {
        await next();
        await next();
      },
    };
    await chat(new Harness({}, [twice]), async (model) => model.respond({ value: reply("a") }));
    expect(attempts(exporter.getFinishedSpans()).map(({ attributes }) => attributes)).toMatchObject([
      { "gen_ai.usage.input_tokens": 3, "suite.status": "cancelled" },
    ]);
  });

  it("shows one that core took back as cancelled and not as failed, also in a run that was aborted", async () => {
    const exporter = startSdk();
    const metering = new Metering().register();
    const aborting = new AbortController();
    const again: Plugin = {
      name: "again",
      async model(_, next) {
        await next();
        aborting.abort();
        await next();
      },
    };
    const harness = new Harness({}, [again]);
    const run = harness.begin({ signal: aborting.signal, onAbort: "tell" });
    const outcome = await harness.stack.call("model", run, modelRequest(), async (m) =>
      m.respond({ value: reply("a") }),
    );
    await outcome.final();
    await run.end();
    const [attempt] = attempts(exporter.getFinishedSpans());
    expect(attempt).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { "suite.status": "cancelled" },
    });
    expect(attempt?.attributes).not.toHaveProperty(["error.type"]);
    const { points } = (await metering.read())["gen_ai.client.inference.duration"] ?? { points: [] };
    await metering.stop();
    expect(points.map(({ attributes, count }) => [attributes["error.type"], count])).toEqual([
      [undefined, 1],
      [undefined, 1],
    ]);
  });

  it("of a tool leaves the call's id, and what was decided on it, to the span of the call", async () => {
    const exporter = startSdk();
    const harness = new Harness({}, [retry(1)]);
    const run = harness.begin();
    run.notify({ type: "approval", toolCallId: "call-1", toolName: "find", decision: "approved" });
    let left = 1;
    const find = tool("find", () => (left-- > 0 ? Promise.reject(new TypeError("no")) : 1));
    await (await harness.tool(run, find, {})).final();
    const [attempt, whole] = exporter.getFinishedSpans();
    expect(attempt).toMatchObject({ name: "execute_tool find", attributes: { "error.type": "TypeError" } });
    const theCalls = { "gen_ai.tool.call.id": "call-1", "suite.approval.decision": "approved" };
    expect(whole?.attributes).toMatchObject(theCalls);
    expect(Object.keys(attempt?.attributes ?? {})).not.toEqual(expect.arrayContaining(["gen_ai.tool.call.id"]));
    expect(Object.keys(attempt?.attributes ?? {})).not.toEqual(expect.arrayContaining(["suite.approval.decision"]));
  });

  it("records the request and the answer of an attempt if content is captured, and redacts everything", async () => {
    const exporter = startSdk();
    const guard: Plugin = { name: "guard", redactor };
    await chat(new Harness({ content: "redacted", warn: () => {} }, [guard, retry(1)]), flaky(1));
    const [attempt] = exporter.getFinishedSpans();
    expect(attempt?.attributes["gen_ai.input.messages"]).toContain("hello");
    expect(attempt?.status.message).toBe("for [EMAIL]");
    expect(JSON.stringify(attempt?.events)).not.toContain("ann@");
  });
});

describe("a retry outside", () => {
  it("has a span per attempt already, side by side, and nothing is told twice", async () => {
    const exporter = startSdk();
    await chat(new Harness({}, [], [retry(2)]), flaky(2, "breaks"));
    const spans = exporter.getFinishedSpans();
    expect(outline(spans)).toEqual(["chat gpt-5", "chat gpt-5", "chat gpt-5"]);
    expect(spans.map(({ status }) => status.code)).toEqual([2, 2, 0]);
    expect(attempts(spans)).toEqual([]);
  });

  it("and one inside tell each of their own", async () => {
    const exporter = startSdk();
    await chat(new Harness({}, [retry(1, "inner")], [retry(1, "outer")]), flaky(3));
    const numbered = exporter
      .getFinishedSpans()
      .map(({ attributes, status }) => [attributes["suite.attempt"], status.code]);
    expect(numbered).toEqual([
      [1, 2],
      [undefined, 2],
      [3, 2],
      [undefined, 0],
    ]);
  });
});

describe("a fallback", () => {
  it("to another model of the same client shows the one that failed, and is named by the one that answered", async () => {
    const exporter = startSdk();
    const fallback: Plugin = {
      name: "fallback",
      model: (call, next) =>
        next().catch(() => {
          call.request = override(call.request, { model: "small" });
          return next();
        }),
    };
    await chat(new Harness({}, [fallback]), flaky(1));
    const spans = exporter.getFinishedSpans();
    expect(outline(spans)).toEqual(["chat gpt-5 < chat small", "chat small"]);
    expect(spanNamed(spans, "chat gpt-5").attributes).toMatchObject({
      "error.type": "ERR_OVERLOADED",
      "suite.attempt": 1,
    });
    expect(spanNamed(spans, "chat small").attributes).toMatchObject({ "gen_ai.request.model": "small" });
  });

  it("to another provider, which a layer asks by itself, does too", async () => {
    const exporter = startSdk();
    const fallback: Plugin = {
      name: "fallback",
      async model(call, next) {
        await next()
          .then(() => call.result?.ready())
          .catch(() => {
            call.request = {
              ...call.request,
              model: "claude",
              provider: "anthropic",
              server: { address: "a.example" },
            };
            call.respond({ value: reply("instead") });
          });
      },
    };
    for (const how of ["throws", "breaks"] as const) await chat(new Harness({}, [fallback]), flaky(1, how));
    const spans = exporter.getFinishedSpans();
    expect(outline(spans)).toEqual([
      "chat gpt-5 < chat claude",
      "chat claude",
      "chat gpt-5 < chat claude",
      "chat claude",
    ]);
    expect(spans[1]?.attributes).toMatchObject({ "gen_ai.provider.name": "anthropic", "server.address": "a.example" });
  });
});
