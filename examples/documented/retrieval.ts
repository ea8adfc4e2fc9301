/** Documents that are searched before the model is asked, as `RAGMiddleware` of AgentScope. */
import { createAgent, defineTool } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";

const handbook = [
  { id: "h1", content: "Refunds take three days." },
  { id: "h2", content: "Parcels leave at noon." },
];

// The search is a call of its own: guards see what is searched for and found, and spans say so.
const search = defineTool({
  name: "search_handbook",
  input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] } as const,
  retrieval: { source: "handbook" },
  execute: ({ query }) => handbook.filter(({ content }) => content.toLowerCase().includes(query)),
});

const model = scriptedModel(
  { toolCalls: [{ name: "search_handbook", arguments: { query: "refund" } }] },
  ({ messages }) => JSON.stringify(messages.at(-1)?.parts),
);
const result = await createAgent({ name: "support", model, tools: [search] }).run("When do I get my money?");
if (result.status === "completed") console.log(result.text);
