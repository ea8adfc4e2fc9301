/** The shop's MCP server, in a process of its own: client.ts starts it. Its standard output belongs to the protocol. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { withPlugins } from "@suite/mcp";
import { setupTracing } from "@suite/tracing/node";
import { z } from "zod";
import { guard, plugins } from "./suite.js";

const orders = new Map([["1001", { status: "shipped", contact: "jane.doe@example.com" }]]);

const shop = new McpServer({ name: "shop", version: "1.0.0" });
shop.registerTool(
  "find_order",
  { description: "Status and contact of an order.", inputSchema: { order: z.string() } },
  ({ order }) => {
    const found = orders.get(order);
    if (found === undefined) throw new Error(`There is no order ${order}.`);
    return { content: [{ type: "text", text: JSON.stringify(found) }] };
  },
);
shop.registerTool(
  "send_mail",
  { description: "Sends a mail.", inputSchema: { to: z.string(), text: z.string() } },
  async ({ to }) => {
    const { action } = await shop.server.elicitInput({
      message: `Send a mail to ${to}?`,
      requestedSchema: { type: "object", properties: {} },
    });
    return { content: [{ type: "text", text: action === "accept" ? "Sent." : "Not sent." }] };
  },
);

const telemetry = setupTracing({ serviceName: "shop", redactor: guard.redactor, consoleTree: true });
const server = withPlugins(shop, plugins("mcp-output/server"));
server.server.onclose = () => void telemetry.shutdown();
await server.connect(new StdioServerTransport());
