/** A tool that is tried again when it fails, as `toolRetryMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { retryTool } from "@suite/resilience";
import { scriptedModel } from "@suite/testkit";

// Of the tools that may run twice: four attempts, with 10, 20 and 40 ms between them.
const plugins = [retryTool({ tools: ["search"], maxAttempts: 4, initialDelay: 10, factor: 2 })];

let attempt = 0;
const search = defineTool({
  name: "search",
  execute() {
    console.log(`attempt ${++attempt}`);
    if (attempt < 3) throw new Error("no connection");
    return "found";
  },
});
const model = scriptedModel({ toolCalls: [{ name: "search", arguments: {} }] }, "Here it is.");
const result = await createAgent({ name: "assistant", model, tools: [search], plugins }).run("Tea?");
if (result.status === "completed") console.log(result.text);
