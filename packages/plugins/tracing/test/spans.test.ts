import { afterEach, describe, expect, it } from "@jest/globals";
import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-node";
import type { CallId } from "@suite/core";
import type { Run } from "@suite/core/adapter";
import { Harness, modelRequest, outline, reply, spanNamed, startSdk, stopSdk, tool, user, words } from "./support.js";

afterEach(stopSdk);

/** One round with a model call, and tools beside each other. */
const turn = (harness: Harness, run: Run, names: readonly string[]) =>
  harness.agent(run, async function* (call: CallId) {
    yield* await harness.chat(run, () => words("let ", "me ", "look"), call);
    const calls = names.map(async (name, index) => {
      const outcome = await harness.tool(
        run,
        tool(name, async () => ({ name })),
        { index },
        call,
        `call-${index}`,
      );
      return outcome.final();
    });
    await Promise.all(calls);
    yield* await harness.chat(run, () => words("done"), call);
  });

describe("the tree of spans", () => {
  it("has model and tool calls below the agent, parallel tools as siblings", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    await (await turn(harness, run, ["add", "mul"])).final();
    await run.end();
    expect(outline(exporter.getFinishedSpans()).sort()).toEqual([
      "chat gpt-5 < invoke_agent support",
      "chat gpt-5 < invoke_agent support",
      "execute_tool add < invoke_agent support",
      "execute_tool mul < invoke_agent support",
      "invoke_agent support",
    ]);
  });

  it.each([["with AsyncLocalStorage", {}], ["without AsyncLocalStorage", { contextManager: null }] as const])(
    "nests a sub-agent under the tool call that it is, %s",
    async (_, sdk) => {
      const exporter = startSdk(sdk);
      const harness = new Harness();
      const run = harness.begin();
      const ask = tool("ask_expert", async (_input, runtime, call) => {
        const inner = harness.begin({ agent: { name: "expert" }, parent: runtime });
        const outcome = await harness.agent(
          inner,
          async function* (agent) {
            yield* await harness.chat(inner, () => words("42"), agent);
          },
          { messages: [] },
          call,
        );
        await outcome.final();
        await inner.end();
        return "42";
      });
      const outcome = await harness.agent(run, async function* (call) {
        await (await harness.tool(run, ask, {}, call)).final();
        yield* words("it is 42");
      });
      await outcome.final();
      await run.end();
      expect(outline(exporter.getFinishedSpans())).toEqual([
        "chat gpt-5 < invoke_agent expert",
        "invoke_agent expert < execute_tool ask_expert",
        "execute_tool ask_expert < invoke_agent support",
        "invoke_agent support",
      ]);
    },
  );

  it("keeps a span that the user opened in a tool between the tool and what runs inside it", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const lookUp = tool("look_up", (_input, _runtime, call) =>
      trace.getTracer("mine").startActiveSpan("my step", async (span) => {
        await (await harness.chat(run, () => words("x"), call)).final();
        span.end();
      }),
    );
    const outcome = await harness.agent(run, async function* (call) {
      await (await harness.tool(run, lookUp, {}, call)).final();
      yield* words("ok");
    });
    await outcome.final();
    expect(outline(exporter.getFinishedSpans())).toEqual([
      "chat gpt-5 < my step",
      "my step < execute_tool look_up",
      "execute_tool look_up < invoke_agent support",
      "invoke_agent support",
    ]);
  });

  it("makes the span current for a stream that produces lazily", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const lazily = async function* () {
      trace.getTracer("http").startSpan("POST").end();
      yield* words("a");
      trace.getTracer("http").startSpan("late").end();
    };
    await (await harness.chat(run, lazily)).final();
    expect(outline(exporter.getFinishedSpans())).toEqual(["POST < chat gpt-5", "late < chat gpt-5", "chat gpt-5"]);
  });

  it("hangs a run below the span that is active where it begins", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    await trace.getTracer("mine").startActiveSpan("request", async (span) => {
      const run = harness.begin();
      await (await turn(harness, run, [])).final();
      span.end();
    });
    expect(outline(exporter.getFinishedSpans())).toContain("invoke_agent support < request");
  });
});

describe("what a span says", () => {
  it("tells of a model call what was asked for and what came back", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const settings = { temperature: 0.5, maxTokens: 100, topK: 1.5, seed: 7, stopSequences: ["END"] };
    const changes = { settings, outputSchema: { type: "object" } };
    await (await harness.chat(run, () => words("a", "b"), undefined, changes)).final();
    const span = spanNamed(exporter.getFinishedSpans(), "chat gpt-5");
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.agent.name": "support",
      "gen_ai.conversation.id": "conversation-1",
      "gen_ai.request.stream": true,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.max_tokens": 100,
      "gen_ai.request.seed": 7,
      "gen_ai.request.stop_sequences": ["END"],
      "gen_ai.output.type": "json",
      "gen_ai.response.id": "resp-1",
      "gen_ai.response.model": "gpt-5-2026",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.response.time_to_first_chunk": expect.any(Number),
      "gen_ai.usage.input_tokens": 3,
      "gen_ai.usage.output_tokens": 2,
      "server.address": "api.openai.com",
      "server.port": 443,
    });
    expect(span.instrumentationScope).toEqual({
      name: "@suite/tracing",
      version: "0.1.0",
      schemaUrl: "https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev",
    });
  });

  it("says the same of a plain answer, except what only a stream has", async () => {
    const exporter = startSdk();
    const { stack } = new Harness();
    const run = stack.begin();
    await (
      await stack.call("model", run, modelRequest(), async (call) => call.respond({ value: reply("hi") }))
    ).final();
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "chat gpt-5");
    expect(attributes["gen_ai.usage.output_tokens"]).toBe(2);
    expect(attributes).not.toHaveProperty("gen_ai.request.stream");
    expect(attributes).not.toHaveProperty("gen_ai.response.time_to_first_chunk");
  });

  it("gives the well-known name of a provider, and a placeholder for one that is not told", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    await (await harness.chat(run, () => words("a"), undefined, { provider: "google.generative-ai" })).final();
    const { provider: _, ...unknown } = modelRequest();
    await (await harness.stack.call("model", run, unknown, async (call) => call.respond({ value: reply("") }))).final();
    const names = exporter.getFinishedSpans().map((span) => span.attributes["gen_ai.provider.name"]);
    expect(names).toEqual(["gcp.gemini", "_OTHER"]);
  });

  it("tells of an agent who it is, and leaves the sum of its tokens out unless asked", async () => {
    const told = async (options: { usageOnAgent?: boolean }) => {
      const exporter = startSdk();
      const harness = new Harness(options);
      const agent = { name: "support", id: "a-1", description: "Answers tickets.", version: "2" };
      const run = harness.begin({ agent, runId: "run-1" });
      await (await harness.agent(run, () => words("a"))).final();
      stopSdk();
      return spanNamed(exporter.getFinishedSpans(), "invoke_agent support");
    };
    const span = await told({});
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "support",
      "gen_ai.agent.id": "a-1",
      "gen_ai.agent.description": "Answers tickets.",
      "gen_ai.agent.version": "2",
      "gen_ai.conversation.id": "conversation-1",
      "gen_ai.response.finish_reasons": ["stop"],
      "suite.run.id": "run-1",
    });
    expect(await told({ usageOnAgent: true })).toHaveProperty(["attributes", "gen_ai.usage.input_tokens"], 3);
  });

  it("tells of a tool call which tool and which call", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const add = { ...tool("add", () => 3), description: "Adds." };
    await (await harness.tool(harness.begin(), add, { a: 1 })).final();
    const span = spanNamed(exporter.getFinishedSpans(), "execute_tool add");
    expect(span.kind).toBe(SpanKind.INTERNAL);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "add",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.description": "Adds.",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.agent.name": "support",
      "gen_ai.conversation.id": "conversation-1",
    });
  });

  it("has spans of the suite's own for compression and for people", async () => {
    const exporter = startSdk();
    const { stack } = new Harness();
    const run = stack.begin();
    const shorter = { messages: [user("a"), user("b")] };
    await (await stack.call("compressContext", run, shorter, async (c) => c.respond({ value: [user("ab")] }))).final();
    await (await stack.call("humanInput", run, { question: "?" }, async (c) => c.respond({ value: "yes" }))).final();
    const [compress, person] = exporter.getFinishedSpans();
    expect(compress).toMatchObject({ name: "suite.compress_context", kind: SpanKind.INTERNAL });
    expect(compress?.attributes).toEqual({
      "suite.compress_context.messages.before": 2,
      "suite.compress_context.messages.after": 1,
    });
    expect(person).toMatchObject({ name: "suite.human_input", attributes: {} });
  });

  it("gives a sampler what it may decide on when the span is made", async () => {
    const seen: unknown[] = [];
    startSdk({
      sampler: {
        shouldSample: (_context, _traceId, name, _kind, attributes) => {
          seen.push([name, attributes["gen_ai.provider.name"] ?? attributes["gen_ai.tool.name"]]);
          return { decision: SamplingDecision.NOT_RECORD };
        },
        toString: () => "none",
      },
    });
    const harness = new Harness();
    const run = harness.begin();
    await (await turn(harness, run, ["add"])).final();
    expect(seen).toEqual([
      ["invoke_agent support", undefined],
      ["chat gpt-5", "openai"],
      ["execute_tool add", "add"],
      ["chat gpt-5", "openai"],
    ]);
  });
});
