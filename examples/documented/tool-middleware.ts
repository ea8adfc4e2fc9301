/** A function round one tool alone, as the tool middleware of AG2 and AgentScope. */
import { createAgent, defineTool } from "@suite/agent";
import { override } from "@suite/core";
import { wrapToolCall } from "@suite/core/hooks";
import { scriptedModel } from "@suite/testkit";

// The tool is given a request id that the model knows nothing of, wherever the tool is used.
const withId = wrapToolCall((request, handler) =>
  handler(override(request, { input: { ...Object(request.input), requestId: "r-17" } })),
);
const search = defineTool({ name: "search", plugins: [withId], execute: (input) => JSON.stringify(input) });

const model = scriptedModel({ toolCalls: [{ name: "search", arguments: { query: "tea" } }] }, "Found.");
const { messages } = await createAgent({ name: "assistant", model, tools: [search] }).run("Tea?");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
