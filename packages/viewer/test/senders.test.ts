import { describe, expect, it } from "@jest/globals";
import { costOf, factOf, operationOf, tokensOf } from "../src/run/aliases.js";
import { conversationOf } from "../src/run/conversation.js";
import { runOf } from "../src/run/run.js";
import type { Span } from "../src/run/span.js";
import { span } from "./support.js";

const question = "What is the weather in Bern?";
const answer = "It is sunny.";
const json = JSON.stringify;

/** The spans of one sender for an agent that asks a model twice and calls a tool in between. */
interface Sent {
  readonly root: Span["attributes"];
  readonly model: Span["attributes"];
  readonly tool?: Span["attributes"];
  readonly events?: Span["events"];
  /** The differences from a sender that writes everything. */
  readonly lacks?: Partial<Expected>;
}

interface Expected {
  readonly kinds: readonly (string | undefined)[];
  readonly roles: readonly string[];
  readonly session: string | undefined;
  readonly user: string | undefined;
}

const senders: Readonly<Record<string, Sent>> = {
  "OpenTelemetry's GenAI conventions": {
    root: { "gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "s-1", "user.id": "ada" },
    model: {
      ...{ "gen_ai.operation.name": "chat", "gen_ai.response.model": "gpt-5-mini" },
      ...{ "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 },
      "gen_ai.input.messages": json([
        { role: "user", parts: [{ type: "text", content: question }] },
        { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "weather", arguments: { city: "Bern" } }] },
        { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "sunny" }] },
      ]),
      "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: answer }] }]),
    },
    tool: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" },
  },
  "OpenInference (OpenAI, JS and Python)": {
    root: { "openinference.span.kind": "AGENT", "session.id": "s-1", "user.id": "ada" },
    model: {
      ...{ "openinference.span.kind": "LLM", "llm.model_name": "gpt-5-mini" },
      ...{ "llm.token_count.prompt": 120, "llm.token_count.completion": 15, "llm.token_count.total": 135 },
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": question,
      "llm.input_messages.1.message.role": "assistant",
      "llm.input_messages.1.message.tool_calls.0.tool_call.id": "c1",
      "llm.input_messages.1.message.tool_calls.0.tool_call.function.name": "weather",
      "llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments": '{"city":"Bern"}',
      "llm.input_messages.2.message.role": "tool",
      "llm.input_messages.2.message.tool_call_id": "c1",
      "llm.input_messages.2.message.content": "sunny",
      "llm.output_messages.0.message.role": "assistant",
      "llm.output_messages.0.message.contents.0.message_content.type": "text",
      "llm.output_messages.0.message.contents.0.message_content.text": answer,
    },
    tool: { "openinference.span.kind": "TOOL", "tool.name": "weather" },
  },
  "the AI SDK 6": {
    root: {
      ...{ "ai.operationId": "ai.generateText", "operation.name": "ai.generateText weather" },
      ...{ "ai.model.id": "gpt-5-mini", "ai.usage.inputTokens": 120, "ai.usage.outputTokens": 15 },
      ...{ "ai.telemetry.metadata.sessionId": "s-1", "ai.telemetry.metadata.userId": "ada" },
    },
    model: {
      ...{ "ai.operationId": "ai.generateText.doGenerate", "gen_ai.request.model": "gpt-5-mini" },
      ...{ "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15, "ai.usage.promptTokens": 120 },
      "ai.prompt.messages": json([
        { role: "user", content: [{ type: "text", text: question }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Bern" } }],
        },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "c1", toolName: "weather", output: { type: "text", value: "sunny" } },
          ],
        },
      ]),
      "ai.response.text": answer,
    },
    tool: { "ai.operationId": "ai.toolCall", "ai.toolCall.name": "weather" },
  },
  OpenLLMetry: {
    root: {
      "traceloop.span.kind": "workflow",
      "traceloop.association.properties.session_id": "s-1",
      "traceloop.association.properties.user_id": "ada",
    },
    model: {
      ...{ "llm.request.type": "chat", "gen_ai.request.model": "gpt-5-mini" },
      ...{ "gen_ai.usage.prompt_tokens": 120, "gen_ai.usage.completion_tokens": 15 },
      "gen_ai.prompt.0.role": "user",
      "gen_ai.prompt.0.content": question,
      "gen_ai.prompt.1.role": "assistant",
      "gen_ai.prompt.1.tool_calls.0.id": "c1",
      "gen_ai.prompt.1.tool_calls.0.name": "weather",
      "gen_ai.prompt.1.tool_calls.0.arguments": '{"city":"Bern"}',
      "gen_ai.prompt.2.role": "tool",
      "gen_ai.prompt.2.tool_call_id": "c1",
      "gen_ai.prompt.2.content": "sunny",
      "gen_ai.completion.0.role": "assistant",
      "gen_ai.completion.0.content": answer,
    },
    tool: { "traceloop.span.kind": "tool", "traceloop.entity.name": "weather" },
    lacks: { kinds: ["invoke_workflow", "chat", "execute_tool"] },
  },
  Langfuse: {
    root: { "langfuse.observation.type": "agent", "session.id": "s-1", "user.id": "ada" },
    model: {
      ...{ "langfuse.observation.type": "generation", "langfuse.observation.model.name": "gpt-5-mini" },
      "langfuse.observation.usage_details": json({ input: 120, output: 15, total: 135 }),
      "langfuse.observation.cost_details": json({ total: 0.25 }),
      "langfuse.observation.input": json({
        messages: [
          { role: "user", content: question },
          {
            role: "assistant",
            content: null,
            tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } }],
          },
          { role: "tool", tool_call_id: "c1", content: "sunny" },
        ],
      }),
      "langfuse.observation.output": json({ role: "assistant", content: answer }),
    },
    tool: { "langfuse.observation.type": "tool" },
  },
  "LangSmith through OpenTelemetry": {
    root: {
      ...{ "langsmith.span.kind": "chain", "gen_ai.operation.name": "invoke_agent" },
      ...{ "langsmith.metadata.session_id": "s-1", "langsmith.metadata.user_id": "ada" },
    },
    model: {
      ...{ "langsmith.span.kind": "llm", "gen_ai.request.model": "gpt-5-mini" },
      ...{ "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 },
      "gen_ai.prompt": json({
        messages: [
          [
            {
              lc: 1,
              type: "constructor",
              id: ["langchain_core", "messages", "HumanMessage"],
              kwargs: { content: question },
            },
            {
              lc: 1,
              type: "constructor",
              id: ["langchain_core", "messages", "AIMessage"],
              kwargs: { content: "", tool_calls: [{ id: "c1", name: "weather", args: { city: "Bern" } }] },
            },
            {
              lc: 1,
              type: "constructor",
              id: ["langchain_core", "messages", "ToolMessage"],
              kwargs: { content: "sunny", tool_call_id: "c1" },
            },
          ],
        ],
      }),
      "gen_ai.completion": json({
        generations: [
          [{ text: answer, message: { id: ["langchain_core", "messages", "AIMessage"], kwargs: { content: answer } } }],
        ],
      }),
    },
    tool: { "langsmith.span.kind": "tool", "gen_ai.tool.name": "weather" },
  },
  "Pydantic AI": {
    root: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "weather-agent",
      "gen_ai.conversation.id": "s-1",
    },
    model: {
      ...{ "gen_ai.operation.name": "chat", "gen_ai.response.model": "gpt-5-mini" },
      ...{ "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 },
      "gen_ai.input.messages": json([
        { role: "user", parts: [{ type: "text", content: question }] },
        { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "weather", arguments: { city: "Bern" } }] },
        { role: "user", parts: [{ type: "tool_call_response", id: "c1", result: "sunny" }] },
      ]),
      "gen_ai.output.messages": json([{ role: "assistant", parts: [{ type: "text", content: answer }] }]),
    },
    tool: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" },
    lacks: { user: undefined },
  },
  "Google ADK": {
    root: { "gen_ai.operation.name": "invoke_agent", "gcp.vertex.agent.session_id": "s-1" },
    model: {
      ...{ "gen_ai.request.model": "gpt-5-mini", "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 },
      "gcp.vertex.agent.llm_request": json({ contents: [{ role: "user", parts: [{ text: question }] }] }),
      "gcp.vertex.agent.llm_response": json({ content: { role: "model", parts: [{ text: answer }] } }),
    },
    tool: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" },
    lacks: { user: undefined, roles: ["user", "assistant"] },
  },
  "the first GenAI conventions, with events": {
    root: { "gen_ai.operation.name": "invoke_agent", "session.id": "s-1", "enduser.id": "ada" },
    model: {
      ...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5-mini" },
      ...{ "gen_ai.usage.input_tokens": 120, "gen_ai.usage.output_tokens": 15 },
    },
    events: [
      { name: "gen_ai.user.message", time: 1, attributes: { content: question } },
      { name: "gen_ai.choice", time: 2, attributes: { message: json({ role: "assistant", content: answer }) } },
    ],
    lacks: { kinds: ["invoke_agent", "chat"], roles: ["user", "assistant"] },
  },
};

const spansOf = ({ root, model, tool, events = [] }: Sent): readonly Span[] => {
  const [traceId, spanId] = ["a".repeat(32), "1".repeat(16)];
  const child = (id: string, attributes: Span["attributes"], more: Partial<Span> = {}) =>
    span({ traceId, spanId: id.repeat(16), parentSpanId: spanId, name: "step", attributes, ...more });
  return [
    span({ traceId, spanId, name: "weather-agent", attributes: root }),
    child("2", model, { events }),
    ...(tool === undefined ? [] : [child("3", tool)]),
  ];
};

describe("spans of other senders", () => {
  it.each(Object.entries(senders))("of %s have name, kinds, model, tokens, messages, session and user", (_, sent) => {
    const spans = spansOf(sent);
    const run = runOf("a".repeat(32), spans);
    const messages = conversationOf(spans);
    expect({
      ...{ name: run.name, models: run.models, tokens: [run.inputTokens, run.outputTokens] },
      ...{ kinds: spans.map(operationOf), session: run.sessionId, user: run.userId },
      roles: messages.map(({ role }) => role),
    }).toEqual({
      ...{ name: "weather-agent", models: ["gpt-5-mini"], tokens: [120, 15] },
      ...{ kinds: ["invoke_agent", "chat", "execute_tool"], session: "s-1", user: "ada" },
      roles: ["user", "assistant", "tool", "assistant"],
      ...sent.lacks,
    });
    expect(messages[0]?.parts).toEqual([{ type: "text", content: question }]);
    expect(messages.at(-1)?.parts).toEqual([{ type: "text", content: answer }]);
    const call = messages.flatMap(({ parts }) => parts).find(({ type }) => type === "tool_call");
    if (messages.length > 2) {
      expect(call).toMatchObject({ id: "c1", name: "weather", arguments: { city: "Bern" } });
      expect(messages[2]?.parts[0]).toMatchObject({ type: "tool_call_response", id: "c1" });
      expect(json(messages[2]?.parts)).toContain("sunny");
    }
  });

  it("have tokens that are unknown, and not 0, if none were sent", () => {
    const [root, model] = spansOf({ root: {}, model: { "gen_ai.request.model": "gpt-5-mini" } });
    const run = runOf("a", [root, model] as Span[]);
    expect([run.inputTokens, run.outputTokens, run.cost]).toEqual([undefined, undefined, undefined]);
    expect(tokensOf(span({ attributes: { "gen_ai.usage.input_tokens": 0 } }))).toEqual({ input: 0, output: undefined });
  });

  it("that stand below a model call of another sender are the same call, and counted once", () => {
    const outer = span({ attributes: { "openinference.span.kind": "LLM", "llm.token_count.prompt": 7 } });
    const inner = span({
      ...{ traceId: outer.traceId, parentSpanId: outer.spanId },
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 7 },
    });
    expect(runOf(outer.traceId, [outer, inner]).inputTokens).toBe(7);
  });

  it("have a cost under the names of each", () => {
    const cost = (attributes: Span["attributes"]) => costOf(span({ attributes }));
    expect(cost({ "llm.cost.total": 0.5 })).toBe(0.5);
    expect(cost({ "langfuse.observation.cost_details": json({ total: 0.25 }) })).toBe(0.25);
    expect(cost({})).toBeUndefined();
  });

  it.each([
    { "langfuse.observation.usage_details": "{" },
    { "langfuse.observation.usage_details": json([1]) },
    { "gen_ai.usage.input_tokens": "many" },
    { "gen_ai.usage.input_tokens": -1 },
    { "gen_ai.usage.input_tokens": [] },
    { "ai.prompt.messages": "[", "ai.response.toolCalls": "{" },
    { "ai.prompt.messages": json([null, 1, [[[[[[[[[["deep"]]]]]]]]]], { role: 5 }, { content: [null] }]) },
    { "llm.input_messages.99999999999.message.role": "user", "llm.input_messages.x.message.role": "user" },
    { "llm.input_messages.0.message.__proto__": "x", "llm.input_messages.0.__proto__.role": "x" },
    { "gen_ai.prompt": json({ messages: { a: 1 } }), "gen_ai.completion": json({ choices: [{ message: 5 }] }) },
  ])("with %j harm nothing", (attributes) => {
    const sent = span({ attributes: { "openinference.span.kind": "LLM", ...attributes } });
    expect(runOf("a", [sent]).inputTokens).toBeUndefined();
    expect(() => conversationOf([sent])).not.toThrow();
    expect(({} as { role?: unknown }).role).toBeUndefined();
  });

  it("tell the tool and its call", () => {
    const sent = span({ attributes: { "ai.toolCall.name": "weather", "ai.toolCall.id": "c1" } });
    expect([factOf("tool", sent), factOf("toolCall", sent)]).toEqual(["weather", "c1"]);
  });
});
