/** Tools that the model is offered when it looks for them, as `providerToolSearchMiddleware` of LangChain. */
import { createAgent, defineTool } from "@suite/agent";
import { toolSearch } from "@suite/context";
import { scriptedModel } from "@suite/testkit";

// Of all tools those that fit the question, found by an index, with any provider; the model may look for more.
const plugins = [toolSearch({ maxTools: 1 })];

const tools = [
  defineTool({ name: "get_weather", description: "The weather in a city.", execute: () => "rain" }),
  defineTool({ name: "order_status", description: "The delivery of an order.", execute: () => "shipped" }),
  defineTool({ name: "cancel_order", description: "Cancels an order.", execute: () => "cancelled" }),
];
const look = { toolCalls: [{ name: "search_tools", arguments: { query: "cancel" } }] };
const model = scriptedModel(look, "Shall I cancel it?");
await createAgent({ name: "support", model, tools, plugins }).run("How is the delivery of my order?");
for (const request of model.requests) console.log(request.tools.map(({ name }) => name).join(", "));
