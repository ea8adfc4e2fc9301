import { afterEach, describe, expect, it } from "@jest/globals";
import * as client2 from "@modelcontextprotocol/client";
import * as client1 from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import * as server1 from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import * as server2 from "@modelcontextprotocol/server";
import { pii } from "@suite/pii";
import { withPlugins } from "../src/index.js";

const MAIL = "jane.doe@example.com";
const info = { name: "desk", version: "1.0.0" };
const form = { type: "object" as const, properties: {} };
const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
const guard = () => pii({ email: "redact" }, { apply: { humanInput: true, toolResults: true } });

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const asked: string[] = [];
const answer = ({ params }: { readonly params: { readonly message: string } }) => {
  asked.push(params.message);
  return { action: "accept" as const };
};

const options = { capabilities: { elicitation: { form: {} } } };
const clients = {
  "version 1": () => {
    const client = new client1.Client(info, options);
    client.setRequestHandler(ElicitRequestSchema, answer);
    return client;
  },
  "version 2": () => {
    const client = new client2.Client(info, { ...options, versionNegotiation: { mode: "auto" } });
    client.setRequestHandler("elicitation/create", answer);
    return client;
  },
};
const servers = {
  "version 1": () => {
    const server = new server1.McpServer(info);
    server.registerTool("ask", {}, async () => {
      const { action } = await server.server.elicitInput({ message: `Is it ${MAIL}?`, requestedSchema: form });
      return text(`${action} ${MAIL}`);
    });
    return server;
  },
  "version 2": () => {
    const server = new server2.McpServer(info);
    server.registerTool("ask", {}, async ({ mcpReq }) => {
      const { action } = await mcpReq.elicitInput({ mode: "form", message: `Is it ${MAIL}?`, requestedSchema: form });
      return text(`${action} ${MAIL}`);
    });
    return server;
  },
};

const pairs = [
  ["version 1", "version 2"],
  ["version 2", "version 1"],
] as const;

describe.each(pairs)("a client of %s and a server of %s", (of, by) => {
  it.each(["client", "server"])("pass tool calls and questions through the layers of the %s", async (side) => {
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    const server = withPlugins(servers[by](), side === "server" ? [guard()] : []);
    const client = withPlugins(clients[of](), side === "client" ? [guard()] : []);
    // The transports of both versions have the same members, but their types differ.
    await server.connect(serverSide as never);
    await client.connect(clientSide as never);
    open.push(client, server);
    expect(await client.callTool({ name: "ask" })).toMatchObject(text("accept [REDACTED_EMAIL]"));
    expect(asked.splice(0)).toEqual(["Is it [REDACTED_EMAIL]?"]);
  });
});
