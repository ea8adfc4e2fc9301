/** Old tool results that the model is no longer shown, as `contextEditingMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { clearToolUses, contextEditing } from "@suite/context";
import { scriptedModel } from "@suite/testkit";

// Of a request above 100 tokens all results but the newest are cleared; the history keeps them.
const plugins = [contextEditing({ edits: [clearToolUses({ trigger: 100, keep: 1 })] })];

const read = (page: number) => ({ toolCalls: [{ name: "read", arguments: { page } }] });
const model = scriptedModel(read(1), read(2), read(3), "Read.");
const tools = [defineTool({ name: "read", execute: () => "word ".repeat(40) })];
await createAgent({ name: "reader", model, tools, plugins }).run("Read three pages.");
for (const { parts } of model.requests.at(-1)?.messages ?? [])
  for (const part of parts) if ("response" in part) console.log(String(part.response).slice(0, 14).trim());
