import { expect, it, jest } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { pluginMiddleware, withPlugins } from "@suite/ai-sdk";
import { tracing } from "@suite/tracing";
import * as ai from "ai";
import { ending, scripted, textResult } from "./support.js";

jest.spyOn(console, "warn").mockImplementation(() => {});

const inputSchema = ai.jsonSchema<object>({ type: "object" });

it("what a tool asks a model is within that tool, also while another one runs", async () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const plugin = tracing({ tracerProvider });
  const { generateText, generateObject, ToolLoopAgent } = withPlugins(ai, [plugin]);
  const answering = (name: string) => scripted([textResult("{}")], name).model;
  const ask = {
    agent: () => new ToolLoopAgent({ id: "inner", model: answering("agent") }).generate({ prompt: "Hi" }),
    function: () => generateText({ model: answering("function"), prompt: "Hi" }),
    object: () => generateObject({ model: answering("object"), prompt: "Hi", schema: inputSchema }),
    middleware: () => {
      const model = ai.wrapLanguageModel({ model: answering("middleware"), middleware: pluginMiddleware([plugin]) });
      return ai.generateText({ model, prompt: "Hi" });
    },
  };
  const tools = Object.fromEntries(
    Object.entries(ask).map(([name, execute]) => [
      name,
      ai.tool({ inputSchema, execute: async () => (await execute()) && "Done." }),
    ]),
  );
  const content = Object.keys(tools).map((toolName) => ({
    type: "tool-call" as const,
    toolCallId: toolName,
    toolName,
    input: "{}",
  }));
  const { model } = scripted([{ content, ...ending("tool-calls"), warnings: [] }, textResult("Bye.")], "outer");
  await generateText({ model, tools, prompt: "Hi", stopWhen: ai.stepCountIs(2) });
  const spans = exporter.getFinishedSpans();
  const path = (name: string): string => {
    const names: string[] = [];
    let at = spans.find((span) => span.name === name);
    while (at !== undefined) {
      const { name: own, parentSpanContext } = at;
      names.push(own);
      at = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
    }
    return names.reverse().join(" > ");
  };
  const tool = "invoke_agent > execute_tool";
  expect(path("chat agent")).toBe(`${tool} agent > invoke_agent inner > chat agent`);
  expect(path("chat function")).toBe(`${tool} function > invoke_agent > chat function`);
  expect(path("chat object")).toBe(`${tool} object > invoke_agent > chat object`);
  expect(path("chat middleware")).toBe(`${tool} middleware > chat middleware`);
});

it.each([
  ["an unknown tool", "gone"],
  ["a tool with invalid arguments", "look"],
])(
  "a call of %s has no span of its own, since nothing runs; the chat span that requested it has the call",
  async (_, toolName) => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const { generateText } = withPlugins(ai, [tracing({ tracerProvider, content: "full" })]);
    const toolCall = { type: "tool-call" as const, toolCallId: "c1", toolName, input: "{}" };
    const { model } = scripted([{ content: [toolCall], ...ending("tool-calls"), warnings: [] }, textResult("Bye.")]);
    const noInput = ai.jsonSchema<object>(
      { type: "object", required: ["order"] },
      { validate: () => ({ success: false, error: new Error("The order is missing.") }) },
    );
    const look = ai.tool({ inputSchema: noInput, execute: () => "Found." });
    await generateText({ model, tools: { look }, prompt: "Hi", stopWhen: ai.stepCountIs(2) });
    const [first, second, run] = exporter.getFinishedSpans();
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([
      "chat scripted",
      "chat scripted",
      "invoke_agent",
    ]);
    expect(first?.attributes["gen_ai.output.messages"]).toContain(`"type":"tool_call","id":"c1","name":"${toolName}"`);
    expect(second?.attributes["gen_ai.input.messages"]).toMatch(
      /"type":"tool_call_response","id":"c1".*"is_error":true/,
    );
    expect([first, second, run].flatMap((span) => span?.events)).toEqual([]);
  },
);
