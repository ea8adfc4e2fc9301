/** Tools that are logged, and whose errors the model is told in words of one's own, as `wrap_tool_call` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { wrapToolCall } from "@suite/core/hooks";
import { toolErrors } from "@suite/resilience";
import { scriptedModel } from "@suite/testkit";

// The log is a function round each call; `toolErrors` says what the model is told of an error.
const monitor = wrapToolCall((request, handler) => {
  console.log(request.tool.name, request.input);
  return handler(request);
});
const errors = toolErrors({ text: (_error, { tool }) => `${tool.name} is out of order. Try something else.` });

const search = defineTool({
  name: "search",
  execute: () => {
    throw new Error("connection refused: 10.0.0.7");
  },
});
const model = scriptedModel({ toolCalls: [{ name: "search", arguments: { query: "tea" } }] }, "I cannot search now.");
const { messages } = await createAgent({ name: "assistant", model, tools: [search], plugins: [monitor, errors] }).run(
  "Tea?",
);
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
