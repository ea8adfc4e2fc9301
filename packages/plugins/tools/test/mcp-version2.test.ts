import { afterEach, describe, expect, it } from "@jest/globals";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { signalOf } from "@suite/core";
import { toolContentOf } from "@suite/core/messages";
import { type McpToolsOptions, mcpTools } from "@suite/tools/mcp";
import { z } from "zod";
import { Rig } from "./rig.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A server of version 2, whose tool asks a person in the way of its protocol. */
function shop() {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  const mirrored = z.string().meta({ "x-mcp-header": "Order" });
  server.registerTool("find_order", { inputSchema: z.object({ id: mirrored }) }, ({ id }) => text(`order ${id}`));
  server.registerTool("picture", {}, () => ({ content: [{ type: "image", data: png, mimeType: "image/png" }] }));
  server.registerTool("fail", {}, () => ({ ...text("No."), isError: true }));
  server.registerTool("book", {}, async ({ mcpReq: { inputResponses } }) => {
    if (inputResponses?.day !== undefined) return text(JSON.stringify(inputResponses.day));
    const requestedSchema = { type: "object" as const, properties: { day: { type: "string" as const } } };
    return inputRequired({
      inputRequests: { day: inputRequired.elicit({ mode: "form", message: "Which day?", requestedSchema }) },
    });
  });
  return server;
}

async function serving(era: "2025-11-25" | "2026-07-28", options: McpToolsOptions = {}) {
  const client = new Client(
    { name: "desk", version: "1.0.0" },
    {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: era === "2026-07-28" ? "auto" : "legacy" },
    },
  );
  const plugin = mcpTools(client, options);
  if (era === "2026-07-28") {
    const handler = createMcpHandler(shop);
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
    open.push(client, handler);
  } else {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const server = shop();
    await Promise.all([server.connect(there), client.connect(here)]);
    open.push(client, server);
  }
  return new Rig([plugin]);
}

describe.each(["2025-11-25", "2026-07-28"] as const)("mcpTools with a client of version 2, protocol %s", (era) => {
  it("offers the tools of the server, and returns their results", async () => {
    const rig = await serving(era);
    expect((await rig.tools()).map(({ name }) => name)).toEqual([
      "mcp_find_order",
      "mcp_picture",
      "mcp_fail",
      "mcp_book",
    ]);
    expect(await rig.call("mcp_find_order", { id: "7" })).toBe("order 7");
    expect(toolContentOf(await rig.call("mcp_picture", {}))).toMatchObject([{ type: "blob", mimeType: "image/png" }]);
    expect(await rig.call("mcp_fail", {})).toBe("No.");
  });

  it("answers a question to a person within the call that asks", async () => {
    const seen: unknown[] = [];
    const rig = await serving(era, {
      elicit: ({ message }, { tool, call, runtime }) => {
        seen.push(message, tool, runtime === rig.run, signalOf(call) !== undefined);
        return { action: "accept", content: { day: "Monday" } };
      },
    });
    expect(JSON.parse(String(await rig.call("mcp_book", {})))).toEqual({
      action: "accept",
      content: { day: "Monday" },
    });
    expect(seen).toEqual(["Which day?", "mcp_book", true, true]);
  });
});
