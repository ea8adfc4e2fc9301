import { afterAll, describe, expect, it, jest } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { startModelServer } from "@suite/testkit";
import { type TracingOptions, tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { killAll, startCollector, withCollector } from "./collector.js";
import { startReceiver } from "./receiver.js";
import { plain, spansOf } from "./spans.js";
import { itValidates, validate } from "./validator.js";

jest.setTimeout(60_000);
afterAll(killAll);

/** The output of a collector for a turn with a tool: the attributes of each kind of span, and all of it. */
async function turn(options: TracingOptions) {
  const [model, receiver] = await Promise.all([startModelServer(), startReceiver()]);
  const collector = await startCollector(receiver.url);
  const telemetry = setupTracing({ serviceName: "support", endpoint: collector.url, metrics: false });
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadInputTokens: 30, cacheCreationInputTokens: 40 };
  const asks = { toolCalls: [{ id: "call-1", name: "look_up", arguments: { of: "it" } }] };
  model.script({ ...asks, usage }, { text: "There.", usage });
  const agent = createAgent({
    name: "support",
    model: openai("gpt-5", { baseURL: `${model.url}/v1`, apiKey: "none" }),
    systemPrompt: "Be kind.",
    tools: [defineTool({ name: "look_up", execute: () => ({ found: true }) })],
    plugins: [tracing({ content: "full", warn: () => {}, ...options })],
  });
  await agent.run("Where is it?", { userId: "user-77", sessionId: "session-5" });
  await telemetry.shutdown();
  await collector.stop();
  await Promise.all([model.close(), receiver.close()]);
  const spans = spansOf(receiver.bodies);
  const named = (name: string) => plain(spans.find((span) => span.name === name)?.attributes);
  return {
    bodies: receiver.bodies,
    spans,
    agent: named("invoke_agent support"),
    chat: named("chat gpt-5"),
    tool: named("execute_tool look_up"),
  };
}

const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, expect.any(String)]));

withCollector("a backend finds by the names that its page says, behind a collector,", () => {
  it("Langfuse: types, user and session, tags, input and output, tokens once, cost", async () => {
    const { agent, chat, tool, spans } = await turn({
      dialect: "langfuse",
      prices: { "gpt-5": { input: 1, output: 10 } },
      attributes: { "langfuse.trace.tags": ["beta"], "langfuse.environment": "production" },
    });
    const ofAll = {
      "user.id": "user-77",
      "session.id": "session-5",
      "langfuse.trace.tags": ["beta"],
      "langfuse.environment": "production",
    };
    for (const span of spans) expect(plain(span.attributes)).toMatchObject(ofAll);
    expect(agent).toMatchObject({
      "gen_ai.operation.name": "invoke_agent",
      ...texts("gen_ai.input.messages", "gen_ai.output.messages"),
    });
    expect(chat).toMatchObject({
      "gen_ai.operation.name": "chat",
      ...texts("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"),
      "gen_ai.usage.cost": expect.closeTo(0.0003, 10),
    });
    expect(tool).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      ...texts("gen_ai.tool.call.arguments", "gen_ai.tool.call.result"),
    });
    const usage = Object.entries(chat).filter(([name]) => name.startsWith("gen_ai.usage."));
    expect(Object.fromEntries(usage.filter(([name]) => name !== "gen_ai.usage.cost"))).toEqual({
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
      "gen_ai.usage.cache_read.input_tokens": 30,
      "gen_ai.usage.cache_creation.input_tokens": 40,
      "gen_ai.usage.reasoning.output_tokens": 0,
    });
    expect(Object.keys(agent).filter((name) => name.startsWith("gen_ai.usage."))).toEqual([]);
  });

  it("Honeycomb: the conversation, the agent and the operation, on every span", async () => {
    const { spans } = await turn({
      attributes: (runtime) => ({
        "gen_ai.agent.name": runtime.agent?.name,
        "gen_ai.conversation.id": runtime.sessionId,
      }),
    });
    expect(spans.length).toBeGreaterThan(3);
    for (const span of spans) {
      expect(plain(span.attributes)).toMatchObject({
        "gen_ai.agent.name": "support",
        "gen_ai.conversation.id": "session-5",
        "gen_ai.operation.name": expect.any(String),
      });
    }
  });

  describe("Datadog:", () => {
    itValidates("the conventions as they are, with messages, models and tokens", async () => {
      const { bodies, chat, spans } = await turn({ attributes: { env: "production" } });
      expect(validate(bodies)).toBe(spans.length);
      expect(chat).toMatchObject({
        "gen_ai.provider.name": expect.any(String),
        "gen_ai.request.model": "gpt-5",
        "gen_ai.response.model": expect.any(String),
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.conversation.id": "session-5",
        env: "production",
        ...texts("gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.system_instructions"),
      });
    });
  });
});
