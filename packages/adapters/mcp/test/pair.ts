import { afterEach } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Plugin } from "@suite/core";
import { withPlugins } from "../src/index.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((each) => each.close()));
});

const capabilities = { sampling: { tools: {} }, elicitation: { form: {} } };

/** A server and a client that are connected, each with plugins where there are some. */
export async function pair(
  set: (server: McpServer, client: Client) => void,
  {
    atClient = [],
    atServer = [],
    link: [clientSide, serverSide] = InMemoryTransport.createLinkedPair(),
  }: {
    readonly atClient?: readonly Plugin[];
    readonly atServer?: readonly Plugin[];
    readonly link?: readonly [Transport, Transport];
  } = {},
) {
  const plainServer = new McpServer({ name: "shop", version: "1.0.0" }, { capabilities: { logging: {} } });
  const plainClient = new Client({ name: "desk", version: "1.0.0" }, { capabilities });
  set(plainServer, plainClient);
  const server = withPlugins(plainServer, atServer);
  const client = withPlugins(plainClient, atClient);
  const wire: unknown[] = [];
  for (const side of [clientSide, serverSide]) {
    const send = side.send.bind(side);
    side.send = (message, options) => {
      wire.push(structuredClone(message));
      return send(message, options);
    };
  }
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  open.push(client, server);
  return {
    server,
    client,
    /** All that was sent, either way, as text. */
    wire: () => JSON.stringify(wire),
  };
}
