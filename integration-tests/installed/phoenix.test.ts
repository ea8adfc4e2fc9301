import { afterAll, expect, it, jest } from "@jest/globals";
import { startModelServer } from "@suite/testkit";
import { describeStranger, stranger } from "../stranger.js";

jest.setTimeout(120_000);

/** A turn with a tool, whose spans OpenInference's own converter turns into its names. */
const program = (url: string) => `
  import { createAgent, defineTool } from "@suite/agent";
  import { openai } from "@suite/agent/openai";
  import { tracing } from "@suite/tracing";
  import { setupTracing } from "@suite/tracing/node";
  import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
  import { convertGenAISpanAttributesToOpenInferenceSpanAttributes as convert } from "@arizeai/openinference-genai";
  const exporter = new InMemorySpanExporter();
  setupTracing({ serviceName: "support", processors: [new SimpleSpanProcessor(exporter)] });
  const agent = createAgent({
    name: "support",
    model: openai("gpt-5", { baseURL: "${url}/v1", apiKey: "none" }),
    systemPrompt: "Be kind.",
    tools: [defineTool({ name: "look_up", execute: () => ({ found: true }) })],
    plugins: [tracing({ content: "full", dialect: "phoenix", warn() {} })],
  });
  await agent.run("Where is it?", { sessionId: "session-5", userId: "user-77" });
  const spans = exporter.getFinishedSpans().map(({ name, attributes }) => [name, { ...attributes, ...convert(attributes) }]);
  process.stdout.write(JSON.stringify(spans));
`;

const sdk = ["api@1.9", "sdk-trace-node@2.12.0", "resources@2.12.1", "exporter-trace-otlp-http@0.223.1"];
const there = stranger(
  [...sdk.map((name) => `@opentelemetry/${name}`), "@arizeai/openinference-genai@0.3.10", "openai@6.49.0"],
  ["@suite/core", "@suite/agent", "@suite/tracing"],
);
afterAll(() => there?.remove());

describeStranger("what OpenInference's converter makes of our spans, as Phoenix does,", there, (project) => {
  it("has kinds, session, user, messages, tools and tokens", async () => {
    const server = await startModelServer();
    const usage = { inputTokens: 100, outputTokens: 20, cacheReadInputTokens: 30, cacheCreationInputTokens: 40 };
    const asks = { toolCalls: [{ id: "call-1", name: "look_up", arguments: { of: "it" } }] };
    server.script({ ...asks, usage }, { text: "There.", usage });
    project.write("ask.mjs", program(server.url));
    const { output } = await project.start(process.execPath, ["--no-warnings", "ask.mjs"]);
    await server.close();
    const spans = JSON.parse(output) as readonly (readonly [string, Readonly<Record<string, unknown>>])[];
    const named = (name: string) => spans.filter(([each]) => each === name).map(([, attributes]) => attributes);
    for (const [, attributes] of spans) {
      expect(attributes).toMatchObject({ "session.id": "session-5", "user.id": "user-77" });
    }
    expect(named("invoke_agent support")).toMatchObject([{ "openinference.span.kind": "AGENT" }]);
    expect(named("execute_tool look_up")).toMatchObject([
      { "openinference.span.kind": "TOOL", "tool.name": "look_up", "input.value": expect.any(String) },
    ]);
    expect(named("chat gpt-5").at(-1)).toMatchObject({
      "openinference.span.kind": "LLM",
      "llm.model_name": expect.any(String),
      "llm.token_count.prompt": 100,
      "llm.token_count.completion": 20,
      "llm.token_count.prompt_details.cache_read": 30,
      "llm.token_count.prompt_details.cache_write": 40,
      "llm.output_messages.0.message.role": "assistant",
    });
  });
});
