/** A workflow of two agents: one plans, and has a memory; the other writes. Each step is a span of OpenTelemetry's conventions. */
import { createAgent, defineTool, workflow } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { startModelServer } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";

const telemetry = setupTracing({ serviceName: "workflow", consoleTree: true });
const server = await startModelServer();
server.script(
  { text: "1. Recall what is known. 2. Write.", toolCalls: [{ name: "recall", arguments: { query: "tea" } }] },
  { text: "Ada likes green tea." },
  { text: "Tea for Ada: green, two minutes." },
);
const model = openai("fake-model", { baseURL: `${server.url}/v1`, apiKey: "none" });
const plugins = [tracing()];

const notes = new Map([["n1", "Ada likes green tea."]]);
const recall = defineTool({
  name: "recall",
  description: "Searches what is remembered.",
  parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  memory: { operation: "search_memory", store: "notes" },
  execute: () => Array.from(notes, ([id, content]) => ({ id, content })),
});
const researcher = createAgent({ name: "researcher", model, tools: [recall], plans: "first", plugins });
const writer = createAgent({ name: "writer", model, plugins });

const report = workflow(
  "report",
  async (topic: string, within) => {
    const found = await researcher.run(topic, within);
    const done = await writer.run(found.messages, within);
    return done.status === "completed" ? done.text : "";
  },
  { plugins },
);

process.stdout.write(`${await report("Tea for Ada")}\n`);
await server.close();
await telemetry.shutdown();
