/** A plugin that brings tools along, as `list_tools` of AgentScope and the tools of a middleware in LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { definePlugin } from "@suite/core";
import { scriptedModel } from "@suite/testkit";

// The agent collects the tools of its plugins, with each of their hooks round them.
const clock = definePlugin({
  name: "clock",
  systemPrompt: (prompt) => `${prompt} Ask the clock for the time.`,
  tools: () => [defineTool({ name: "clock", execute: () => "12:00" })],
});

const model = scriptedModel({ toolCalls: [{ name: "clock", arguments: {} }] }, "Noon.");
const agent = createAgent({ name: "assistant", model, systemPrompt: "You help.", plugins: [clock] });
const result = await agent.run("What time is it?");
if (result.status === "completed") console.log(result.text, `${result.toolCalls} tool call`);
