/** A plugin that watches each kind of call, as `FullObservabilityMiddleware` of AgentScope and AgentScope Java. */
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin, type Invocation, type Kind } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

// A plugin has any of the hooks, one for each kind of call; `settle` is told how the answer ended, streamed or not.
async function watch<K extends Kind>(invocation: Invocation<K>, callNext: () => Promise<void>): Promise<void> {
  const { kind } = invocation.call;
  console.log(`${kind} begins`);
  await callNext();
  invocation.pipe({ settle: ({ status }) => console.log(`${kind} ${status}`) });
}
const observer = definePlugin({ name: "observer", agent: watch, reasoning: watch, model: watch, tool: watch });

const model = scriptedModel({ toolCalls: [{ name: "clock", arguments: {} }] }, "Noon.");
const tools = [defineTool({ name: "clock", execute: () => "12:00" })];
await createAgent({ name: "assistant", model, tools, plugins: [observer] }).run("What time is it?");
