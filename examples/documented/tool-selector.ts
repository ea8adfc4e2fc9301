/** A model that chooses the tools that another is offered, as `llmToolSelectorMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { toolSelector } from "@suite/context";
import { scriptedModel } from "@suite/testkit";

const small = scriptedModel(JSON.stringify({ tools: ["weather"] }));

// Of all tools a small model chooses one, and `search` is always there.
const plugins = [toolSelector({ client: small, maxTools: 1, alwaysInclude: ["search"] })];

const model = scriptedModel("Rain.");
const tools = ["weather", "mail", "calendar", "search"].map((name) => defineTool({ name, execute: () => "" }));
await createAgent({ name: "assistant", model, tools, plugins }).run("Do I need an umbrella?");
console.log(model.requests[0]?.tools.map(({ name }) => name).join(", "));
