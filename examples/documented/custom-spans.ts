/** Spans of runs, model calls and tools, and spans of one's own among them, as `TracingMiddleware` of AgentScope, AgentScope Java and AG2. */
import { trace } from "@opentelemetry/api";
import { createAgent, defineTool } from "@suite/agent";
import { scriptedModel } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";

// The set-up exports where OTEL_EXPORTER_OTLP_ENDPOINT says, and shows the spans here, too.
const consoleTree = { write: (text: string) => void process.stdout.write(text) };
const telemetry = setupTracing({ serviceName: "shop", consoleTree });
const plugins = [tracing()];

const findOrder = defineTool({
  name: "find_order",
  execute: () => trace.getTracer("shop").startActiveSpan("SELECT orders", (span) => span.end()),
});
const model = scriptedModel({ toolCalls: [{ name: "find_order", arguments: {} }] }, "It has shipped.");
await createAgent({ name: "support", model, tools: [findOrder], plugins }).run("Where is my order?");
await telemetry.shutdown();
