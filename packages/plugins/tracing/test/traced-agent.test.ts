import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { SpanStatusCode } from "@opentelemetry/api";
import {
  type AgentOptions,
  approve,
  createAgent,
  defineTool,
  type PendingState,
  reject,
  result,
  type SuspendedResult,
} from "@suite/agent";
import type { Plugin } from "@suite/core";
import { tracing } from "@suite/tracing";
import { call, codeOf, type Said, scripted } from "../../../agent/test/support.js";
import { outline, spanNamed, startSdk, stopSdk } from "./support.js";

// What the spans of a real agent's runs say, where others' say something else.
let exporter: ReturnType<typeof startSdk>;
beforeEach(() => {
  exporter = startSdk();
});
afterEach(stopSdk);

const spans = () => exporter.getFinishedSpans();
const span = (name: string) => spanNamed(spans(), name);
const of = (name: string) => spans().filter((each) => each.name === name);

/** An agent whose model says these things, traced in full. */
const agent = (said: readonly Said[], options: Partial<AgentOptions> = {}) =>
  createAgent({
    name: "desk",
    model: scripted(...said),
    tools,
    plugins: [tracing({ content: "full", warn: () => {} })],
    ...options,
  });
const tools = [
  defineTool({ name: "look_up", execute: () => ({ found: 3 }) }),
  defineTool({ name: "fail", execute: () => Promise.reject(new RangeError("out of stock")) }),
  defineTool({ name: "refund", needsApproval: true, execute: () => "refunded" }),
  defineTool({ name: "ship" }),
];
/** The pending state of a turn, as another process reads it. */
const pendingOf = async (run: Promise<unknown>): Promise<PendingState> => {
  const { pending } = (await run) as SuspendedResult;
  return JSON.parse(JSON.stringify(pending)) as PendingState;
};

describe("tool calls", () => {
  it("are marked as failed if the tool threw, although the run continues and the model gets a message", async () => {
    await agent([[call("c1", "fail")], "sorry"]).run("go");
    expect(span("execute_tool fail").status).toEqual({ code: SpanStatusCode.ERROR, message: "out of stock" });
    expect(span("execute_tool fail").events.map(({ name }) => name)).toEqual(["exception"]);
    expect(span("invoke_agent desk").status.code).toBe(SpanStatusCode.UNSET);
  });

  it("have a failed span if the model called an unknown tool", async () => {
    await agent([[call("c1", "made_up")], "sorry"]).run("go");
    const { status, attributes } = span("execute_tool made_up");
    expect(status.code).toBe(SpanStatusCode.ERROR);
    expect(attributes).toMatchObject({ "error.type": "ERR_AGENT_TOOL_UNKNOWN", "gen_ai.tool.call.id": "c1" });
  });

  it("have one span each, with name and id, if several run in parallel", async () => {
    await agent([[call("c1", "look_up"), call("c2", "fail"), call("c3", "look_up")], "done"]).run("go");
    const told = spans().map(({ name, attributes }) => [name, attributes["gen_ai.tool.call.id"]]);
    expect(told.filter(([, id]) => id !== undefined).sort()).toEqual([
      ["execute_tool fail", "c2"],
      ["execute_tool look_up", "c1"],
      ["execute_tool look_up", "c3"],
    ]);
  });

  it.each([
    ["a person who is there", { onHumanInput: () => false }],
    ["a person who was waited for", {}],
  ])("that %s denied look like no call that succeeded, and alike", async (_, options) => {
    const desk = agent([[call("c1", "refund")], "sorry"], options);
    const first = await desk.run("go");
    if (first.status === "suspended") {
      const { pending } = first;
      await desk.run({ pending, decisions: pending.calls.map((each) => reject(each)) });
    }
    const { status, attributes } = of("execute_tool refund").at(-1) ?? {};
    expect(status?.code).toBe(SpanStatusCode.ERROR);
    expect(attributes).toMatchObject({
      "error.type": "denied",
      "suite.status": "denied",
      "suite.approval.decision": "rejected",
      "gen_ai.tool.call.id": "c1",
    });
  });

  it("that were aborted are marked as aborted, like their run, and no span is marked as successful", async () => {
    const aborting = new AbortController();
    const hang = defineTool({
      name: "hang",
      execute() {
        aborting.abort(new DOMException("took too long", "TimeoutError"));
        return new Promise(() => {});
      },
    });
    const run = agent([[call("c1", "hang")]], { tools: [hang] }).run("go", { signal: aborting.signal });
    await expect(run).rejects.toThrow("took too long");
    for (const name of ["execute_tool hang", "invoke_agent desk"]) {
      expect(span(name).status).toEqual({ code: SpanStatusCode.ERROR, message: "took too long" });
      expect(span(name).attributes).toMatchObject({ "error.type": "TimeoutError", "suite.status": "cancelled" });
    }
  });
});

describe("model calls", () => {
  it("have their finish reasons in the standard attribute, and only the agent span has the outcome of the run", async () => {
    await agent([[call("c1", "look_up")], "done"]).run("go");
    const reasons = spans().map(({ name, attributes }) => [name, attributes["gen_ai.response.finish_reasons"]]);
    expect(reasons).toEqual([
      ["chat scripted-1", ["tool_call"]],
      ["execute_tool look_up", undefined],
      ["chat scripted-1", ["stop"]],
      ["invoke_agent desk", ["stop"]],
    ]);
    for (const { attributes } of spans()) {
      for (const key of ["gen_ai.input.messages", "gen_ai.output.messages"]) {
        expect(String(attributes[key])).not.toContain("finish_reason");
      }
    }
  });

  it("of the compression have spans, and their tokens count", async () => {
    const compressing = agent(["summary", "done"], {
      compressContext: async (messages, { ask }) => [(await ask(messages)).message],
    });
    expect(await compressing.run("go")).toMatchObject({ usage: { inputTokens: 20 } });
    expect(outline(spans())).toEqual([
      "chat scripted-1 < suite.compress_context",
      "suite.compress_context < invoke_agent desk",
      "chat scripted-1 < invoke_agent desk",
      "invoke_agent desk",
    ]);
  });
});

describe("an agent's span", () => {
  it("has the agent's description, if there is one", async () => {
    await agent(["done"]).run("go");
    expect(span("invoke_agent desk").attributes).not.toHaveProperty(["gen_ai.agent.description"]);
    exporter.reset();
    await agent(["done"], { description: "Answers tickets." }).run("go");
    expect(span("invoke_agent desk").attributes["gen_ai.agent.description"]).toBe("Answers tickets.");
  });

  it("contains user, session, run, input and output, and the same if the run streams", async () => {
    const told = [];
    for (const stream of [false, true]) {
      const desk = agent([[call("c1", "look_up")], "done"]);
      if (stream) for await (const _ of desk.stream("go", { sessionId: "s-1" }));
      else await desk.run("go", { sessionId: "s-1" });
      told.push(span("invoke_agent desk").attributes);
      exporter.reset();
    }
    for (const attributes of told) {
      expect(attributes).toMatchObject({
        "gen_ai.agent.name": "desk",
        "gen_ai.conversation.id": "s-1",
        "suite.run.id": expect.stringMatching(/^[0-9a-f]{32}$/),
        "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"go"}]}]',
        "gen_ai.response.finish_reasons": ["stop"],
      });
      expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
        {
          role: "assistant",
          parts: [
            { type: "tool_call", id: "c1", name: "look_up", arguments: {} },
            { type: "text", content: "done" },
          ],
        },
      ]);
    }
  });

  it("lists the waiting calls of the run: names and ids, approvals separate from external calls", async () => {
    await agent([[call("c1", "refund"), call("c2", "ship"), call("c3", "look_up"), call("c4", "ship")]]).run("go");
    expect(span("invoke_agent desk").attributes).toMatchObject({
      "suite.status": "suspended",
      "suite.pending.approval.tools": ["refund"],
      "suite.pending.approval.call_ids": ["c1"],
      "suite.pending.external.tools": ["ship", "ship"],
      "suite.pending.external.call_ids": ["c2", "c4"],
    });
  });

  it("shows no message of its own for what was only decided", async () => {
    const desk = agent([[call("c1", "refund")], "done"]);
    const pending = await pendingOf(desk.run("go"));
    await desk.run({ pending, decisions: pending.calls.map((each) => approve(each)) });
    const messages = JSON.parse(String(of("invoke_agent desk")[1]?.attributes["gen_ai.input.messages"]));
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant"]);
  });

  it("of a resumed run has the same run id as the one that waited, and a link to it", async () => {
    const desk = agent([[call("c1", "ship")], "done"]);
    const pending = await pendingOf(desk.run("go"));
    await desk.run({ pending, decisions: pending.calls.map((each) => result(each, "sent")) });
    const [first, second] = of("invoke_agent desk");
    for (const each of [first, second]) expect(each?.attributes["suite.run.id"]).toBe(pending.runId);
    expect(second?.links.map(({ context }) => context.spanId)).toEqual([first?.spanContext().spanId]);
    expect(outline(spans())).toContain("execute_tool ship < invoke_agent desk");
  });
});

it("creates no span for a result with an unknown id or call", async () => {
  const desk = agent([[call("c1", "ship")]]);
  const pending = await pendingOf(desk.run("go"));
  exporter.reset();
  const [waiting] = pending.calls;
  if (waiting === undefined) throw new Error("nothing waits");
  for (const forged of [{ id: "zzz" }, { digest: "0".repeat(64) }]) {
    const decisions = [{ ...result(waiting, "done"), ...forged }];
    expect(await codeOf(desk.run({ pending, decisions }))).toMatch(/^ERR_AGENT_DECISION_/);
  }
  expect(spans()).toEqual([]);
});

describe("tracing inside a layer that tries again", () => {
  const chats = () =>
    of("chat scripted-1")
      .concat(of("chat small"))
      .map(({ name, status, attributes }) => [name, status.code, attributes["error.type"]]);

  it("has a span of each attempt: those that failed, and the one that did not", async () => {
    const retry: Plugin = { name: "retry", model: (_call, next) => next().catch(next).catch(next) };
    const desk = agent([new RangeError("busy"), new TypeError("busy"), "done"], { plugins: [retry, tracing()] });
    expect(await desk.run("go")).toMatchObject({ text: "done" });
    expect(chats()).toEqual([
      ["chat scripted-1", SpanStatusCode.ERROR, "RangeError"],
      ["chat scripted-1", SpanStatusCode.ERROR, "TypeError"],
      ["chat scripted-1", SpanStatusCode.UNSET, undefined],
    ]);
    for (const { name, parentSpanContext } of spans()) {
      if (name.startsWith("chat"))
        expect(parentSpanContext?.spanId).toBe(span("invoke_agent desk").spanContext().spanId);
    }
  });

  it("names the model that failed and the one that answered in its place", async () => {
    const fallback: Plugin = {
      name: "fallback",
      async model(call, next) {
        await next()
          .then(() => call.result?.ready())
          .catch(() => {
            call.request = { ...call.request, model: "small" };
            return next();
          });
      },
    };
    for (const stream of [false, true]) {
      exporter.reset();
      const desk = agent([new RangeError("busy"), "done"], { plugins: [fallback, tracing()] });
      if (stream) for await (const _ of desk.stream("go"));
      else await desk.run("go");
      expect(chats()).toEqual([
        ["chat scripted-1", SpanStatusCode.ERROR, "RangeError"],
        ["chat small", SpanStatusCode.UNSET, undefined],
      ]);
    }
  });
});

it("makes one span of each call though tracing was asked for twice, of the agent and of the run", async () => {
  const desk = agent([[call("c1", "look_up")], "done"]).withPlugins([tracing()]);
  await desk.run("go", { plugins: [tracing()] });
  expect(outline(spans())).toEqual([
    "chat scripted-1 < invoke_agent desk",
    "execute_tool look_up < invoke_agent desk",
    "chat scripted-1 < invoke_agent desk",
    "invoke_agent desk",
  ]);
});
