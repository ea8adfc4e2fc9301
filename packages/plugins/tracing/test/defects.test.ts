import { afterEach, describe, expect, it } from "@jest/globals";
import { diag, SpanStatusCode, trace } from "@opentelemetry/api";
import { MiddlewareTermination, type Plugin } from "@suite/core";
import {
  Harness,
  hrTimeToMs,
  modelRequest,
  outline,
  reply,
  spanNamed,
  startSdk,
  stopSdk,
  tool,
  user,
  words,
} from "./support.js";

// What goes wrong in other suites, each as a promise of this one.
afterEach(stopSdk);

class LedgerClosed extends Error {
  override readonly name = "LedgerClosed";
}

describe("tools that fail", () => {
  it("records the error of a tool that threw, once", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const refund = tool("refund", () => Promise.reject(new LedgerClosed("closed at night")));
    await expect(harness.tool(harness.begin(), refund, {})).rejects.toThrow("closed at night");
    const span = spanNamed(exporter.getFinishedSpans(), "execute_tool refund");
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: "closed at night" });
    expect(span.attributes).toMatchObject({ "error.type": "LedgerClosed", "gen_ai.tool.call.id": "call-1" });
    expect(span.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        "exception",
        {
          "exception.type": "LedgerClosed",
          "exception.message": "closed at night",
          "exception.stacktrace": expect.stringContaining("defects.test"),
        },
      ],
    ]);
  });

  it("names no class where a plain object was thrown", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const refund = tool("refund", () => Promise.reject({ message: "closed at night" }));
    await expect(harness.tool(harness.begin(), refund, {})).rejects.toEqual({ message: "closed at night" });
    const span = spanNamed(exporter.getFinishedSpans(), "execute_tool refund");
    expect(span.attributes["error.type"]).toBe("_OTHER");
  });

  it("says of a result that is marked as an error that the tool failed", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const nope = tool("nope", () => ({ isError: true, content: [{ type: "text", text: "Error: no such file" }] }));
    await (await harness.tool(harness.begin(), nope, {})).final();
    const span = spanNamed(exporter.getFinishedSpans(), "execute_tool nope");
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes["error.type"]).toBe("tool_error");
  });

  it("creates one span per call, with name, id and time, when several tools run in parallel", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const slow = () => new Promise((resolve) => setTimeout(resolve, 50, 3));
    const outcome = await harness.agent(run, async function* (call) {
      const results = await Promise.all([
        harness.tool(run, tool("add", slow), {}, call, "c1"),
        harness.tool(
          run,
          tool("mul", () => 2),
          {},
          call,
          "c2",
        ),
      ]);
      await Promise.all(results.map((result) => result.final()));
      yield* words("ok");
    });
    await outcome.final();
    const spans = exporter.getFinishedSpans();
    expect(outline(spans)).toEqual([
      "execute_tool add < invoke_agent support",
      "execute_tool mul < invoke_agent support",
      "invoke_agent support",
    ]);
    expect(spanNamed(spans, "execute_tool add").attributes["gen_ai.tool.call.id"]).toBe("c1");
    expect(spanNamed(spans, "execute_tool mul").attributes["gen_ai.tool.call.id"]).toBe("c2");
    const took = (name: string) => hrTimeToMs(spanNamed(spans, name).duration);
    expect(took("execute_tool add")).toBeGreaterThan(40);
    expect(took("execute_tool mul")).toBeLessThan(took("execute_tool add") / 2);
  });

  it("records the arguments that the tool ran with, when a layer further in rewrote them", async () => {
    const exporter = startSdk();
    const rewrite: Plugin = {
      name: "rewrite",
      async tool(call, next) {
        call.request = { ...call.request, input: { limit: 10 } };
        await next();
      },
    };
    const harness = new Harness({ content: "full", warn: () => {} }, [rewrite]);
    const ran: unknown[] = [];
    await (
      await harness.tool(
        harness.begin(),
        tool("refund", (input) => ran.push(input)),
        { limit: 10_000 },
      )
    ).final();
    expect(ran).toEqual([{ limit: 10 }]);
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "execute_tool refund");
    expect(JSON.parse(String(attributes["gen_ai.tool.call.arguments"]))).toEqual({ limit: 10 });
  });

  it("names the model that answered, if an inner plugin fell back to another", async () => {
    const exporter = startSdk();
    const fallback: Plugin = {
      name: "fallback",
      async model(call, next) {
        await next().catch(() => {
          call.request = { ...call.request, model: "small" };
          return next();
        });
      },
    };
    const { stack } = new Harness({}, [fallback]);
    const outcome = await stack.call("model", stack.begin(), modelRequest(), async (call) => {
      if (call.request.model !== "small") throw new Error("overloaded");
      call.respond({ value: reply("hi") });
    });
    await outcome.final();
    expect(spanNamed(exporter.getFinishedSpans(), "chat small").attributes["gen_ai.request.model"]).toBe("small");
  });

  it("records the result itself, not how the framework wraps it", async () => {
    const exporter = startSdk();
    const harness = new Harness({ content: "full", warn: () => {} });
    await (
      await harness.tool(
        harness.begin(),
        tool("add", () => ({ sum: 3 })),
        {},
      )
    ).final();
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "execute_tool add");
    expect(attributes["gen_ai.tool.call.result"]).toBe('{"sum":3}');
  });
});

describe("runs that wait", () => {
  const waiting = async () => {
    const exporter = startSdk();
    const harness = new Harness({ content: "full", warn: () => {} });
    const run = harness.begin();
    const outcome = await harness.agent(run, async function* (call) {
      yield* words("one moment");
      const refund = await harness.tool(run, tool("refund"), { eur: 5 }, call);
      const settled = await refund.final().then(
        () => undefined,
        () => refund.settled,
      );
      return settled?.status === "suspended" ? { suspended: settled.pending } : undefined;
    });
    await outcome.final().catch(() => {});
    await run.end();
    return exporter.getFinishedSpans();
  };

  it("records no answer, success or error for a suspended run, only the waiting calls", async () => {
    const span = spanNamed(await waiting(), "invoke_agent support");
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).not.toHaveProperty(["gen_ai.output.messages"]);
    expect(span.attributes).not.toHaveProperty(["error.type"]);
    expect(span.attributes).toMatchObject({
      "suite.status": "suspended",
      "suite.pending.external.tools": ["refund"],
      "suite.pending.external.call_ids": ["call-1"],
    });
  });

  it("has no call id on a tool span that waits for approval: the span of the result has it", async () => {
    const exporter = startSdk();
    const gate: Plugin = {
      name: "gate",
      async tool(call) {
        const part = { type: "tool_call", id: call.request.id, name: "refund", arguments: {} } as const;
        call.respond({ suspended: [{ reason: "approval", part }] });
      },
    };
    const harness = new Harness({}, [gate]);
    const outcome = await harness.tool(
      harness.begin(),
      tool("refund", () => 1),
      {},
    );
    await outcome.final().catch(() => {});
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "execute_tool refund");
    expect(attributes).toMatchObject({
      "suite.status": "suspended",
      "suite.pending.approval.tools": ["refund"],
      "suite.pending.approval.call_ids": ["call-1"],
    });
    expect(attributes).not.toHaveProperty(["gen_ai.tool.call.id"]);
  });

  it("opens no tool span when a tool that runs elsewhere is only handed out", async () => {
    expect(outline(await waiting())).toEqual(["invoke_agent support"]);
  });
});

describe("unexpected ends", () => {
  const chatting = (harness: Harness, closed: string[] = []) => {
    const run = harness.begin();
    const outcome = harness.agent(run, async function* (call) {
      try {
        yield* await harness.chat(run, () => words("a", "b", "c"), call);
      } finally {
        closed.push("agent");
      }
    });
    return { run, outcome };
  };

  it("ends the spans of a stream at once, inner first and without an error, when its consumer stops reading", async () => {
    const exporter = startSdk();
    const { outcome } = chatting(new Harness());
    for await (const _ of await outcome) break;
    const spans = exporter.getFinishedSpans();
    expect(outline(spans)).toEqual(["chat gpt-5 < invoke_agent support", "invoke_agent support"]);
    for (const span of spans) {
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
      expect(span.attributes["suite.status"]).toBe("cancelled");
    }
  });

  it("ends its spans when a layer around it throws afterwards, and the next run is a separate trace", async () => {
    const exporter = startSdk();
    const speech: Plugin = {
      name: "speech",
      async agent(_call, next) {
        await next();
        throw new Error("no voice");
      },
    };
    const harness = new Harness({}, [], [speech]);
    const failing = chatting(harness);
    await expect(failing.outcome).rejects.toThrow("no voice");
    expect(outline(exporter.getFinishedSpans())).toEqual(["invoke_agent support"]);
    expect(trace.getActiveSpan()).toBeUndefined();

    const next = chatting(new Harness());
    await (await next.outcome).final();
    const [first, , second] = exporter.getFinishedSpans();
    expect(second).toMatchObject({ name: "invoke_agent support", parentSpanContext: undefined });
    expect(second?.spanContext().traceId).not.toBe(first?.spanContext().traceId);
  });

  it("leaves no active span after an abort in the middle of a stream", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const aborting = new AbortController();
    const run = harness.begin({ signal: aborting.signal });
    const hang = async function* () {
      yield* words("a");
      aborting.abort(new DOMException("took too long", "TimeoutError"));
      await new Promise(() => {});
    };
    const outcome = await harness.agent(run, async function* (call) {
      yield* await harness.chat(run, hang, call);
    });
    await expect(outcome.final()).rejects.toThrow("took too long");
    await run.end();
    expect(trace.getActiveSpan()).toBeUndefined();
    const spans = exporter.getFinishedSpans();
    expect(spans.map((span) => span.name).sort()).toEqual(["chat gpt-5", "invoke_agent support"]);
    for (const span of spans) {
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: "took too long" });
      expect(span.attributes).toMatchObject({ "error.type": "TimeoutError", "suite.status": "cancelled" });
    }
  });

  it.each([
    ["aborted", new DOMException("took too long", "TimeoutError"), 2, "TimeoutError"],
    ["over", undefined, 0, undefined],
  ])("ends the spans of a call that never returns when its run is %s and ends, once", async (_, reason, code, type) => {
    const complaints: unknown[] = [];
    const complain = (...said: unknown[]) => void complaints.push(said);
    diag.setLogger({ error: complain, warn: complain, info: () => {}, debug: () => {}, verbose: () => {} });
    const exporter = startSdk();
    const harness = new Harness();
    const aborting = new AbortController();
    const run = harness.begin({ signal: aborting.signal });
    let release = (): void => {};
    const stuck = new Promise<number>((resolve) => {
      release = () => resolve(1);
    });
    const outcome = await harness.agent(run, async function* (call) {
      yield* words("a");
      await harness.tool(
        run,
        tool("stuck", () => stuck),
        {},
        call,
      );
    });
    const reading = outcome.final().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (reason !== undefined) aborting.abort(reason);
    await run.end();
    await reading;
    const spans = exporter.getFinishedSpans();
    expect(outline(spans).sort()).toEqual(["execute_tool stuck < invoke_agent support", "invoke_agent support"]);
    const span = spanNamed(spans, "execute_tool stuck");
    expect(span.status.code).toBe(code);
    expect(span.attributes["error.type"]).toBe(type);
    expect(span.attributes["suite.status"]).toBe("cancelled");
    release();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(exporter.getFinishedSpans()).toHaveLength(2);
    expect(complaints).toEqual([]);
    diag.disable();
  });

  it("marks a broken stream as failed on the call and on the run, with one exception each", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const cut = async function* () {
      yield* words("a");
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    };
    const outcome = await harness.agent(run, async function* (call) {
      yield* await harness.chat(run, cut, call);
    });
    await expect(outcome.final()).rejects.toThrow("socket hang up");
    for (const span of exporter.getFinishedSpans()) {
      expect(span.attributes["error.type"]).toBe("ECONNRESET");
      expect(span.events.map((event) => event.name)).toEqual(["exception"]);
    }
    expect(exporter.getFinishedSpans()).toHaveLength(2);
  });

  it("says of a run that a guard ended that it was terminated, without a stack trace", async () => {
    const exporter = startSdk();
    const guard: Plugin = {
      name: "guard",
      async agent() {
        throw new MiddlewareTermination("The budget is spent.");
      },
    };
    const harness = new Harness({}, [guard]);
    await expect(harness.agent(harness.begin(), () => words("a"))).rejects.toThrow("budget");
    const span = spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
    expect(span.attributes).toMatchObject({
      "suite.status": "terminated",
      "error.type": "ERR_MIDDLEWARE_TERMINATED",
    });
    expect(span.events).toEqual([]);
  });

  it("neither disturbs a call nor stays open when a request or an answer is not what its type says", async () => {
    const exporter = startSdk();
    const { stack } = new Harness({ content: "full", warn: () => {} });
    const broken = modelRequest({ messages: null as never, settings: { temperature: 1 } });
    const outcome = await stack.call("model", stack.begin(), broken, async (call) =>
      call.respond({ value: { message: null } as never }),
    );
    await outcome.final().catch(() => {});
    expect(spanNamed(exporter.getFinishedSpans(), "chat gpt-5").attributes["gen_ai.request.temperature"]).toBe(1);
  });

  it("has model calls of the compression below it, as spans like any other", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const outcome = await harness.stack.call("compressContext", run, { messages: [user("a")] }, async (compress) => {
      await (await harness.chat(run, () => words("summary"), compress.call)).final();
      compress.respond({ value: [user("summary")] });
    });
    await outcome.final();
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "chat gpt-5 < suite.compress_context",
      "suite.compress_context",
    ]);
  });
});
