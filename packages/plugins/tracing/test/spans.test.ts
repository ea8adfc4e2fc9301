import { afterEach, describe, expect, it } from "@jest/globals";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-node";
import type { Plugin } from "@suite/core";
import type { TracingOptions } from "../src/index.js";
import { Harness, modelRequest, reply, spanNamed, startSdk, stopSdk, tool, turn, user, words } from "./support.js";

afterEach(stopSdk);

/** The attributes that the harness's run gives to each of its spans. */
const own = {
  "suite.agent.name": "support",
  "suite.conversation.id": "conversation-1",
  "session.id": "conversation-1",
};

describe("what a span says", () => {
  it("contain the request and the response of a model call", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const run = harness.begin();
    const settings = {
      temperature: 0.5,
      topP: 0.9,
      maxTokens: 100,
      topK: 1.5,
      seed: 7,
      frequencyPenalty: 0.25,
      presencePenalty: -0.5,
      stopSequences: ["END"],
    };
    const changes = { settings, outputSchema: { type: "object" } };
    await (await harness.chat(run, () => words("a", "b"), undefined, changes)).final();
    const span = spanNamed(exporter.getFinishedSpans(), "chat gpt-5");
    expect(span.kind).toBe(SpanKind.CLIENT);
    expect(span.attributes).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-5",
      "gen_ai.conversation.id": "conversation-1",
      "session.id": "conversation-1",
      "suite.agent.name": "support",
      "gen_ai.request.stream": true,
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.top_p": 0.9,
      "gen_ai.request.frequency_penalty": 0.25,
      "gen_ai.request.presence_penalty": -0.5,
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

  it("contain the purpose of a model call of a plugin", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const changes = { purpose: "summarize" };
    await (await harness.chat(harness.begin(), () => words("a"), undefined, changes)).final();
    expect(spanNamed(exporter.getFinishedSpans(), "chat gpt-5").attributes["suite.model.purpose"]).toBe("summarize");
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
    expect(attributes).not.toHaveProperty(["gen_ai.request.stream"]);
    expect(attributes).not.toHaveProperty(["gen_ai.response.time_to_first_chunk"]);
  });

  it("says on which port a model server listens that is not the usual one", async () => {
    const exporter = startSdk();
    const harness = new Harness();
    const changes = { server: { address: "localhost", port: 11434 } };
    await (await harness.chat(harness.begin(), () => words("a"), undefined, changes)).final();
    expect(spanNamed(exporter.getFinishedSpans(), "chat gpt-5").attributes).toMatchObject({
      "server.address": "localhost",
      "server.port": 11434,
    });
  });

  it("contain the well-known name of a provider, and a placeholder for an unknown one", async () => {
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
    const told = async (options: TracingOptions) => {
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
      "gen_ai.agent.description": "Answers tickets.",
      "suite.agent.id": "a-1",
      "suite.agent.version": "2",
      "gen_ai.conversation.id": "conversation-1",
      "session.id": "conversation-1",
      "gen_ai.response.finish_reasons": ["stop"],
      "suite.run.id": "run-1",
    });
    expect(await told({ dialect: "agent-usage" })).toHaveProperty(["attributes", "gen_ai.usage.input_tokens"], 3);
  });

  it("contain the sum of tokens, if configured, as the two totals that the conventions list for an agent", async () => {
    const exporter = startSdk();
    const { stack } = new Harness({ dialect: "agent-usage" });
    const usage = { inputTokens: 9, outputTokens: 4, cacheReadInputTokens: 5, reasoningOutputTokens: 1 };
    const answer = { ...reply("a"), usage };
    await (
      await stack.call("agent", stack.begin(), { messages: [] }, async (call) => call.respond({ value: answer }))
    ).final();
    const { attributes } = spanNamed(exporter.getFinishedSpans(), "invoke_agent");
    const counts = Object.entries(attributes).filter(([name]) => name.startsWith("gen_ai.usage."));
    expect(counts).toEqual([
      ["gen_ai.usage.input_tokens", 9],
      ["gen_ai.usage.output_tokens", 4],
    ]);
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
      "session.id": "conversation-1",
    });
  });

  it("contain the outcome of a tool that runs elsewhere, if a layer answers or refuses for it", async () => {
    const answering: Plugin = {
      name: "answering",
      async tool(invocation) {
        if (invocation.request.input === "refuse") throw new TypeError("not today");
        invocation.respond({ value: { isError: true, content: "gone" } });
      },
    };
    const exporter = startSdk();
    const harness = new Harness({}, [answering]);
    const run = harness.begin();
    await (await harness.tool(run, tool("remote"), "answer", undefined, "call-1")).final();
    await expect(harness.tool(run, tool("other"), "refuse", undefined, "call-2")).rejects.toThrow("not today");
    await run.end();
    const spans = exporter.getFinishedSpans();
    expect(spanNamed(spans, "execute_tool remote").attributes).toMatchObject({ "error.type": "tool_error" });
    const refused = spanNamed(spans, "execute_tool other");
    expect(refused.attributes).toMatchObject({ "error.type": "TypeError" });
    expect(refused.status).toEqual({ code: SpanStatusCode.ERROR, message: "not today" });
  });

  it("has spans of the suite's own for compression and for people", async () => {
    const exporter = startSdk();
    const { stack } = new Harness();
    const run = stack.begin({ agent: { name: "support" }, sessionId: "conversation-1" });
    const shorter = { messages: [user("a"), user("b")] };
    await (await stack.call("compressContext", run, shorter, async (c) => c.respond({ value: [user("ab")] }))).final();
    const question = { question: "?", about: { type: "tool_call", id: "c1", name: "refund", arguments: {} } } as const;
    await (await stack.call("humanInput", run, question, async (c) => c.respond({ value: "yes" }))).final();
    const [compress, person] = exporter.getFinishedSpans();
    const whose = {
      "suite.agent.name": "support",
      "suite.conversation.id": "conversation-1",
      "session.id": "conversation-1",
    };
    expect(compress).toMatchObject({ name: "suite.compress_context", kind: SpanKind.INTERNAL });
    expect(compress?.attributes).toEqual({
      ...whose,
      "suite.compress_context.messages.before": 2,
      "suite.compress_context.messages.after": 1,
    });
    expect(person).toMatchObject({ name: "suite.human_input", kind: SpanKind.INTERNAL });
    expect(person?.attributes).toEqual({
      ...whose,
      "suite.human_input.tool": "refund",
      "suite.human_input.call_id": "c1",
    });
  });

  it("contain the model and usage of a request for embeddings, and the query of a search", async () => {
    const exporter = startSdk();
    const harness = new Harness({ content: "full" });
    const run = harness.begin();
    const { stack } = harness;
    const asked = { model: "e-1", provider: "openai", input: ["secret"], dimensions: 8, encodingFormat: "float" };
    const embedded = await stack.call("embedding", run, asked, async (invocation) => {
      const usage = { inputTokens: 4 };
      invocation.respond({ value: { embeddings: [[1]], usage, response: { model: "e-1-2026" } } });
    });
    await embedded.final();
    const found = await stack.call("retrieval", run, { query: "the sky", source: "kb", limit: 2 }, async (search) => {
      search.respond({ value: { documents: [{ id: "d1", content: "blue", score: 0.5 }] } });
    });
    await found.final();
    const broken = stack.call("retrieval", run, { query: "x" }, async () => {
      throw new TypeError("gone");
    });
    await expect(broken).rejects.toThrow("gone");
    await run.end();
    const spans = exporter.getFinishedSpans();
    expect(spanNamed(spans, "embeddings e-1").kind).toBe(SpanKind.CLIENT);
    expect(spanNamed(spans, "embeddings e-1").attributes).toEqual({
      ...own,
      "gen_ai.operation.name": "embeddings",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "e-1",
      "gen_ai.embeddings.dimension.count": 8,
      "gen_ai.request.encoding_formats": ["float"],
      "gen_ai.response.model": "e-1-2026",
      "gen_ai.usage.input_tokens": 4,
    });
    expect(spanNamed(spans, "retrieval kb").attributes).toEqual({
      ...own,
      "gen_ai.operation.name": "retrieval",
      "gen_ai.data_source.id": "kb",
      "gen_ai.retrieval.top_k": 2,
      "gen_ai.retrieval.query.text": "the sky",
      "gen_ai.retrieval.documents": '[{"id":"d1","content":"blue","score":0.5}]',
    });
    expect(spanNamed(spans, "retrieval").attributes).toMatchObject({ "error.type": "TypeError" });
  });

  it("tells of an operation on a memory which store, which record, how many, and what as content", async () => {
    const exporter = startSdk();
    const harness = new Harness({ content: "full" });
    const run = harness.begin();
    const parent = run.identify("tool", undefined);
    const store = "notes";
    const found = [{ id: "m1", content: "blue", score: 0.5, metadata: { by: "ada" } }];
    await run.memory({ operation: "search_memory", store, query: "the sky" }, () => ({ records: found }), { parent });
    const records = [{ id: "m2", content: { text: "grey" } }];
    await run.memory({ operation: "upsert_memory", store, records }, () => ({}), { parent });
    await run.memory({ operation: "delete_memory", ids: ["m1"] }, () => ({ count: 3 }), { parent });
    const broken = run.memory({ operation: "delete_memory_store" }, () => Promise.reject(new TypeError("gone")), {
      parent,
    });
    await expect(broken).rejects.toThrow("gone");
    await run.end();
    const spans = exporter.getFinishedSpans();
    expect(spanNamed(spans, "search_memory").kind).toBe(SpanKind.CLIENT);
    expect(spanNamed(spans, "search_memory").attributes).toEqual({
      ...own,
      "gen_ai.operation.name": "search_memory",
      "gen_ai.memory.store.id": "notes",
      "gen_ai.memory.query.text": "the sky",
      "gen_ai.memory.record.count": 1,
      "gen_ai.memory.records": '[{"id":"m1","content":"blue","score":0.5,"metadata":{"by":"ada"}}]',
    });
    expect(spanNamed(spans, "upsert_memory").attributes).toEqual({
      ...own,
      "gen_ai.operation.name": "upsert_memory",
      "gen_ai.memory.store.id": "notes",
      "gen_ai.memory.record.id": "m2",
      "gen_ai.memory.record.count": 1,
      "gen_ai.memory.records": '[{"id":"m2","content":{"text":"grey"}}]',
    });
    expect(spanNamed(spans, "delete_memory").attributes).toEqual({
      ...own,
      "gen_ai.operation.name": "delete_memory",
      "gen_ai.memory.record.id": "m1",
      "gen_ai.memory.record.count": 3,
    });
    expect(spanNamed(spans, "delete_memory_store").attributes).toMatchObject({ "error.type": "TypeError" });
  });

  it("keeps ids whatever a redactor would make of them: they are what joins spans, runs and conversations", async () => {
    const exporter = startSdk();
    const blunt: Plugin = { name: "blunt", redactor: { redact: () => "[X]", value: () => "[X]" } };
    const harness = new Harness({}, [blunt]);
    const part = { type: "tool_call", id: "c1", name: "refund", arguments: {} } as const;
    const run = harness.begin({ agent: { name: "support", id: "a-1" }, runId: "run-1" });
    const outcome = await harness.agent(run, async function* (call) {
      const question = { question: "?", about: part };
      await (await harness.stack.call("humanInput", run, question, async (h) => h.respond({ value: 1 }), call)).final();
      yield* words();
      return { suspended: [{ reason: "approval", part }] };
    });
    await outcome.final().catch(() => {});
    const [person, agent] = exporter.getFinishedSpans();
    expect(agent?.attributes).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "[X]",
      "gen_ai.conversation.id": "conversation-1",
      "session.id": "conversation-1",
      "suite.agent.id": "a-1",
      "suite.run.id": "run-1",
      "suite.status": "suspended",
      "suite.pending.approval.tools": ["[X]"],
      "suite.pending.approval.call_ids": ["c1"],
    });
    expect(person?.attributes).toEqual({
      "suite.agent.name": "[X]",
      "suite.conversation.id": "conversation-1",
      "session.id": "conversation-1",
      "suite.human_input.tool": "[X]",
      "suite.human_input.call_id": "c1",
    });
  });

  it("contain the sampler's attributes when the span is created", async () => {
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
