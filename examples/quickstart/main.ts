import { createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { audit } from "@suite/audit";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";

const guard = pii({ email: "redact", credit_card: "mask", ip: "hash", url: "block" }, { apply: { output: true } });
const telemetry = setupTracing({ serviceName: "support", redactor: guard.redactor, consoleTree: true });

const findOrder = defineTool({
  name: "find_order",
  description: "Status and contact of an order.",
  execute: () => ({ status: "shipped", contact: "jane@example.com" }),
});

const agent = createAgent({
  name: "support",
  model: openai("gpt-5-mini"),
  tools: [findOrder],
  plugins: [tracing({ content: "redacted" }), guard, audit()],
});

const stream = agent.stream("Where is my order? Mail me at jane@example.com");
for await (const text of stream.text()) process.stdout.write(text);

process.stdout.write("\n");
await agent.close();
await telemetry.shutdown();
