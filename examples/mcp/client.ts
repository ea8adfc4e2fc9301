/** The support desk as an MCP client: looks an order up, and mails the customer. Its server is another process. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { withPlugins } from "@suite/mcp";
import { setupTracing } from "@suite/tracing/node";
import { guard, plugins } from "./suite.js";

const telemetry = setupTracing({ serviceName: "desk", redactor: guard.redactor, consoleTree: true });
const layers = plugins("mcp-output/client");

const desk = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
desk.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  console.log(`? ${params.message}`);
  return { action: "accept", content: {} };
});

const client = withPlugins(desk, layers);
const program = new URL("./server.js", import.meta.url).pathname;
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [program], env: { ...inherited() }, stderr: "inherit" }),
);

for (const call of [
  { name: "find_order", arguments: { order: "1001" } },
  { name: "send_mail", arguments: { to: "jane.doe@example.com", text: "Your order is on its way." } },
  { name: "find_order", arguments: { order: "9999" } },
]) {
  const result = await client.callTool(call);
  console.log(`${call.name}: ${JSON.stringify(result.content)}`);
}

await client.close();
for (const plugin of layers) if ("close" in plugin) await plugin.close?.();
await telemetry.shutdown();

/** The server sends its spans to the same collector. */
function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
