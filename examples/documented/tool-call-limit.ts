/** Bounds of tool calls, of all tools and of one, as `toolCallLimitMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { toolCallLimit } from "@suite/limits";
import { scriptedModel } from "@suite/testkit";

// Ten calls a run; of `search` one, after which the model is told so.
const plugins = [toolCallLimit({ runLimit: 10 }), toolCallLimit({ toolName: "search", runLimit: 1 })];

const search = { name: "search", arguments: {} };
const model = scriptedModel({ toolCalls: [search, search] }, "Enough.");
const tools = [defineTool({ name: "search", execute: () => "found" })];
const { messages } = await createAgent({ name: "assistant", model, tools, plugins }).run("Tea?");
for (const part of messages.at(-2)?.parts ?? []) if ("response" in part) console.log(part.response);
